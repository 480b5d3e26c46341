// The time of day, which people and time servers set: for what is kept, and beside times of files. How long something
// takes is measured by base/stopwatch.h. Threads: pure functions.
#pragma once

#include <chrono>
#include <cstdint>

namespace mneme {

// Since 1970.
inline int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

inline int64_t now_ms() {
  return now_ns() / 1'000'000;
}

}  // namespace mneme
