// Shows a part of what was drawn and leaves the rest of the window, and of the buffer drawn into, as it is. Only on X11
// through GLX_MESA_copy_sub_buffer, which Mesa's renderers without a GPU have: those are where it pays, as they would
// otherwise draw and copy a million pixels for a caret. Threads: the window's thread, with its context current.
#pragma once

namespace mneme::ui {

class PartialPresent {
 public:
  // Looks for it in the current context; call once.
  void find();
  bool available() const { return copy_ != nullptr; }
  // Pixels, counted from the lower left as OpenGL does. Needs available().
  void show(int x, int y, int width, int height) const;

 private:
  using Copy = void (*)(void* display, unsigned long drawable, int x, int y, int width, int height);

  Copy copy_ = nullptr;
  void* display_ = nullptr;
  unsigned long drawable_ = 0;
};

}  // namespace mneme::ui
