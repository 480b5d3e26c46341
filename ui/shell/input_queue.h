// Keys and characters that came between two frames, handed on in portions that one frame can tell apart. Dear ImGui
// before 1.87 looks at keys once a frame: of a key that goes down and up between two looks it sees nothing, and of a
// shortcut and the letters typed behind it, or of two Enters, only one. On slow frames that loses what people type;
// here it waits for the next frame instead. Later versions do the same themselves, so this stands before older ones
// only. Threads: the window's thread.
#pragma once

#include <deque>
#include <vector>

namespace mneme::ui {

struct InputEvent {
  enum class Kind { kPress, kRelease, kCharacter } kind = Kind::kCharacter;
  int code = 0;  // GLFW's key, or the character
  int scancode = 0;
  int mods = 0;  // GLFW's, as held when it came
};

class InputQueue {
 public:
  void push(const InputEvent& event) { waiting_.push_back(event); }
  bool empty() const { return waiting_.empty(); }
  // What the next frame gets, in the order it came; the rest waits.
  std::vector<InputEvent> take();

 private:
  std::deque<InputEvent> waiting_;
};

}  // namespace mneme::ui
