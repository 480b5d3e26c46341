// Keys and characters that came between two frames, handed on in portions that one frame can tell apart. Dear ImGui
// before 1.87 looks at keys once a frame: of a key that goes down and up between two looks it sees nothing, and of a
// shortcut and the letters typed behind it, or of two Enters, only one. On slow frames that loses what people type;
// here it waits for the next frame instead. Later versions have a queue of their own, which is switched off
// (frame.cpp): it gives one frame a shortcut's key and the end of its Ctrl, so that the shortcut is lost, and a
// letter's key and its character to two, so that the letter is a frame late. Threads: the window's thread.
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
  // GLFW's bits of the modifiers that are held with what was taken: those whose keys are down, and those that the key
  // that was pressed last came with while it is down. Caps Lock may be somebody's Ctrl, which only the latter tell.
  int modifiers() const;

 private:
  void follow_modifiers(const InputEvent& event);

  std::deque<InputEvent> waiting_;
  std::set<int> modifiers_down_;
  int key_down_ = 0;  // pressed last
  int key_mods_ = 0;
};

}  // namespace mneme::ui
