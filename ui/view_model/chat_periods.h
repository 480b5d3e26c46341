// When a chat went on last, as people say it. Threads: any.
#pragma once

#include <cstdint>
#include <string>

namespace mneme::ui {

int64_t last_midnight_ms();  // of this place, since 1970

struct Period {
  std::string name;
  int64_t begin_ms = 0;
  int64_t end_ms = 0;  // the first that is no longer of it
  bool holds(int64_t ms) const { return ms >= begin_ms && ms < end_ms; }
};

// In the window's language: "Today", "Yesterday", "Last 7 days", "Last 30 days", then months ("October 2026"), seen
// from the day that began at `midnight_ms`.
Period period_of(int64_t updated_ms, int64_t midnight_ms);

}  // namespace mneme::ui
