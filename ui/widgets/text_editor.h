// A field for longer text that wraps: the question, and questions being edited; or for one line that scrolls
// (text_field.h). Dear ImGui's own breaks no lines and takes the keyboard only a frame or two after it was asked to.
// Arrows, words by Ctrl, selection by Shift and mouse, clipboard, undo and redo, by keys and by a menu. Scripts that
// join or run from right to left are shown so, and arrows go where they point. What an input method (IME) composes is
// shown at the caret (composition.h), and arrives as characters. Threads: the window's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

#include "ui/widgets/shaped_row.h"
#include "ui/widgets/theme.h"

namespace mneme::ui {

class TextEditor {
 public:
  enum class Lines {
    kMany,  // Enter submits, Shift+Enter breaks the line
    kOne,   // Enter submits
    kText   // Enter breaks the line
  };
  explicit TextEditor(Lines lines = Lines::kMany) : lines_(lines) {}

  const std::string& text() const { return text_; }
  void set_text(std::string text);  // the caret goes to the end; can be undone
  void reset(std::string text);     // the same for another text, with nothing to be undone
  void select_all();
  void focus() { wants_focus_ = true; }  // when it is drawn next, and for what was typed until then

  struct Outcome {
    bool changed = false;
    bool active = false;
    bool left = false;       // it had the keyboard until now
    bool submitted = false;  // by Enter
    bool cancelled = false;  // Esc
    bool too_long = false;   // something was cut off at the limit
    bool up_at_top = false;  // the arrow had nowhere to go
    bool down_at_bottom = false;
  };
  // Draws and edits. `hint` shows while it is empty; text beyond limit_bytes is not taken.
  Outcome draw(const char* id, ImVec2 size, const char* hint, size_t limit_bytes, const Theme& theme, float scale);

  // Height for the text at a width, at most max_rows rows.
  float height(float width, ImFont* font, float scale, int max_rows);

 private:
  struct Row {
    size_t begin = 0;
    size_t end = 0;     // without the line break
    bool plain = true;  // drawn as it is, character by character
    bool right_to_left = false;
    mutable ShapedRow shaped = {};  // of one that is not, once it is looked at
  };
  struct State {
    std::string text;
    size_t cursor = 0;
  };

  // While one lives, what is being composed stands in the text at the caret, to be broken into rows and drawn; behind
  // it text, caret and selection are as they were.
  class Composed {
   public:
    Composed(TextEditor& editor, bool active);
    ~Composed();
    Composed(const Composed&) = delete;
    Composed& operator=(const Composed&) = delete;
    bool empty() const { return size_ == 0; }
    size_t begin() const { return cursor_; }
    size_t end() const { return cursor_ + size_; }

   private:
    TextEditor& editor_;
    const size_t cursor_, anchor_;
    size_t size_ = 0;
  };

  bool one_line() const { return lines_ == Lines::kOne; }
  void wrap(float width, ImFont* font);
  void break_rows(float width, ImFont* font);
  void find_shaped_rows(ImFont* font);
  const ShapedRow& shaped(const Row& row, ImFont* font) const;
  size_t row_of(size_t byte) const;
  float x_in(const Row& row, size_t byte, ImFont* font) const;
  float x_of(size_t byte, ImFont* font) const { return x_in(rows_[row_of(byte)], byte, font); }
  float drawn_row_width(const Row& row, ImFont* font) const;
  bool reads_left_at_cursor(ImFont* font) const;
  size_t byte_at(size_t row, float x, ImFont* font) const;
  size_t last_of(size_t row) const;  // place in it
  size_t before(size_t byte) const;
  size_t after(size_t byte) const;
  size_t word_before(size_t byte) const;
  void select_line(size_t byte);  // up to its line breaks
  size_t word_after(size_t byte) const;

  enum class Edit { kOther, kTyping, kErasing };  // runs of one kind are undone at once
  void keep_for_undo(Edit edit);
  bool undo(std::vector<State>& from, std::vector<State>& to);
  bool erase_selection();
  // Takes the text in at the cursor, as much as the limit allows; true when some was left out.
  bool insert(const std::string& text, size_t limit_bytes);
  void move(size_t to, bool selecting);
  bool take_characters(size_t limit_bytes, Outcome& outcome);
  void copy(bool cut, Outcome& outcome);
  void paste(size_t limit_bytes, Outcome& outcome);
  void take_menu(size_t limit_bytes, Outcome& outcome);
  void take_clipboard_keys(size_t limit_bytes, Outcome& outcome);
  void take_moves(ImFont* font, Outcome& outcome);
  void take_enter(size_t limit_bytes, Outcome& outcome);
  void take_mouse(ImVec2 origin, ImFont* font, bool hovered);
  void take_focus(unsigned id, bool hovered);
  void edit(ImVec2 origin, ImVec2 size, size_t limit_bytes, bool hovered, Outcome& outcome);
  void scroll(ImVec2 size, ImFont* font, float scale, bool hovered);
  // Where the bytes [begin, end) stand in a row, from its left to right; a line's end among them is `line_end` wide.
  std::vector<std::pair<float, float>> stretches(const Row& row, size_t begin, size_t end, float line_end,
                                                 ImFont* font) const;
  void paint_selection(const Row& row, ImVec2 at, ImFont* font, const Theme& theme, float scale) const;
  void paint_composed(const Composed& composed, const Row& row, ImVec2 at, ImFont* font, const Theme& theme,
                      float scale) const;
  void paint_text(const Row& row, ImVec2 at, ImFont* font, const Theme& theme) const;
  void paint_caret(ImVec2 origin, ImFont* font, const Theme& theme, float scale) const;
  void paint_hint(const char* hint, ImVec2 origin, ImVec2 size, ImFont* font, const Theme& theme, float scale) const;
  void paint(const Composed& composed, ImVec2 origin, ImVec2 size, ImFont* font, const Theme& theme, float scale,
             bool active);

  Lines lines_;
  std::string text_;
  size_t cursor_ = 0;
  size_t anchor_ = 0;  // other end of the selection
  float wanted_x_ = -1.0f;
  float scroll_ = 0.0f;
  float scroll_x_ = 0.0f;  // of one line
  bool was_active_ = false;
  bool menu_open_ = false;
  bool wants_focus_ = false;
  bool follow_cursor_ = true;
  double touched_ = 0.0;  // when the caret last moved, for its blinking
  std::vector<Row> rows_;
  size_t wrapped_version_ = 0;
  size_t version_ = 1;
  float wrapped_width_ = 0.0f;
  float wrapped_font_size_ = 0.0f;
  uint64_t wrapped_fonts_ = 0;  // generation
  std::vector<State> undo_, redo_;
  Edit last_edit_ = Edit::kOther;
  double last_edit_time_ = -10.0;
};

}  // namespace mneme::ui
