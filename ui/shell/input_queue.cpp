#include "ui/shell/input_queue.h"

#include <GLFW/glfw3.h>

namespace mneme::ui {
namespace {

bool is_modifier(int key) {
  return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;
}

int bit_of_modifier(int key) {
  switch (key) {
    case GLFW_KEY_LEFT_SHIFT:
    case GLFW_KEY_RIGHT_SHIFT: return GLFW_MOD_SHIFT;
    case GLFW_KEY_LEFT_CONTROL:
    case GLFW_KEY_RIGHT_CONTROL: return GLFW_MOD_CONTROL;
    case GLFW_KEY_LEFT_ALT:
    case GLFW_KEY_RIGHT_ALT: return GLFW_MOD_ALT;
    default: return GLFW_MOD_SUPER;
  }
}

bool is_shift(int key) {
  return key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT;
}

// Whether a key does something by itself. Letters typed without Ctrl or Alt do not: only their characters count, so
// that typing costs no frame per letter. The space bar presses what is chosen, unless a field has the keyboard.
bool acts(const InputEvent& e, bool text_wanted) {
  if (is_modifier(e.code)) return false;
  const bool writes = e.code <= GLFW_KEY_WORLD_2 && (text_wanted ? e.code >= GLFW_KEY_SPACE : e.code > GLFW_KEY_SPACE);
  return !writes || (e.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0;
}

// What one frame is given.
class Portion {
 public:
  explicit Portion(bool text_wanted) : text_wanted_(text_wanted) {}

  bool has_room_for(const InputEvent& e) const {
    if (e.kind == InputEvent::Kind::kCharacter) return !acted_;  // it was typed after the key, not before
    if (changed_.contains(e.code)) return false;
    if (is_modifier(e.code)) return !acted_ && (!wrote_ || is_shift(e.code));  // characters are not typed with Ctrl
    return e.kind == InputEvent::Kind::kRelease || !acted_;
  }
  void add(const InputEvent& e) {
    if (e.kind == InputEvent::Kind::kCharacter) {
      wrote_ = true;
    } else if (is_modifier(e.code) || acts(e, text_wanted_)) {
      changed_.insert(e.code);
      acted_ = acted_ || (e.kind == InputEvent::Kind::kPress && !is_modifier(e.code));
    }
  }

 private:
  const bool text_wanted_;
  std::set<int> changed_;  // keys that would be seen once only
  bool acted_ = false;     // a key did something
  bool wrote_ = false;
};

}  // namespace

std::vector<InputEvent> InputQueue::take(bool text_wanted) {
  Portion portion(text_wanted);
  std::vector<InputEvent> events;
  while (!waiting_.empty() && portion.has_room_for(waiting_.front())) {
    portion.add(waiting_.front());
    follow_modifiers(waiting_.front());
    events.push_back(waiting_.front());
    waiting_.pop_front();
  }
  return events;
}

int InputQueue::modifiers() const {
  int mods = key_mods_;
  for (const int key : modifiers_down_) mods |= bit_of_modifier(key);
  return mods;
}

void InputQueue::follow_modifiers(const InputEvent& e) {
  const bool pressed = e.kind == InputEvent::Kind::kPress;
  if (e.kind == InputEvent::Kind::kCharacter) return;
  if (is_modifier(e.code)) {
    if (pressed) {
      modifiers_down_.insert(e.code);
    } else {
      modifiers_down_.erase(e.code);
      key_mods_ &= ~bit_of_modifier(e.code);
    }
  } else if (pressed) {
    key_down_ = e.code;
    key_mods_ = e.mods;
  } else if (e.code == key_down_) {
    key_mods_ = 0;
  }
}

}  // namespace mneme::ui
