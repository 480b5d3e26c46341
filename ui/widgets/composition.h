// What an input method (IME) is composing: shown in the field that is written into, and no part of its text until the
// method hands it over as characters. Threads: the window's thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <imgui.h>

namespace mneme::ui {

class Composition {
 public:
  bool empty() const { return characters_.empty(); }
  const std::string& text() const { return text_; }  // UTF-8
  size_t caret() const { return caret_; }            // bytes of it

  // Characters [first, first + length) become `with`, as far as they are there; more than anybody composes is cut.
  void replace(size_t first, size_t length, std::u32string_view with);
  void move_caret(size_t character);
  void clear();

 private:
  void write();

  std::u32string characters_;
  size_t caret_character_ = 0;
  std::string text_;
  size_t caret_ = 0;
};

// What the input method and the field with the keyboard tell each other.
struct Composing {
  Composition composition;
  ImVec2 caret{-1.0f, -1.0f};  // the lower end of the field's caret, on the screen; negative: there was none yet
};

// Of the current Dear ImGui context.
Composing& current_composing();

}  // namespace mneme::ui
