#include "ui/shell/taken_keys.h"

namespace mneme::ui {

std::vector<InputEvent> TakenKeys::told(const InputEvent& event, Time time, bool taken) {
  if (event.kind == InputEvent::Kind::kPress) {
    held_.erase(event.scancode);
    if (!taken) return {event};
    held_[event.scancode] = {event, time, std::nullopt};
    return {};
  }
  const auto held = held_.find(event.scancode);
  if (held == held_.end() || held->second.release) return {event};
  held->second.release = event;
  return {};
}

std::vector<InputEvent> TakenKeys::given_back(int scancode, Time time) {
  const auto held = held_.find(scancode);
  if (held == held_.end() || held->second.time != time) return {};
  std::vector<InputEvent> events{held->second.press};
  if (held->second.release) events.push_back(*held->second.release);
  held_.erase(held);
  return events;
}

}  // namespace mneme::ui
