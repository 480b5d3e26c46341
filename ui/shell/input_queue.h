// Keys and characters that came between two frames, handed on in portions that one frame can tell apart. Dear ImGui
// before 1.87 looks at keys once a frame: of a key that goes down and up between two looks it sees nothing, and of a
// shortcut and the letters typed behind it, or of two Enters, only one. On slow frames that loses what people type;
// here it waits for the next frame instead. Later versions queue by themselves, so the queue stands before older ones
// only; before later ones stand the WritingKeys. Threads: the window's thread.
#pragma once

#include <deque>
#include <set>
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
  // What the next frame gets, in the order it came; the rest waits. `text_wanted`: a field has the keyboard, so that
  // the space bar writes instead of pressing what is chosen.
  std::vector<InputEvent> take(bool text_wanted);

 private:
  std::deque<InputEvent> waiting_;
};

// Keys that do nothing but write. Later versions of Dear ImGui give one frame a key and the frame after it the key's
// character, so that a letter would appear a frame late: they are not told of the key.
class WritingKeys {
 public:
  // Whether a key event is of such a key; `text_wanted`: a field has the keyboard. A key let go is one if it was one
  // when it was pressed.
  bool holds(const InputEvent& event, bool text_wanted);

 private:
  std::set<int> down_;
};

}  // namespace mneme::ui
