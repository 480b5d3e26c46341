// Times of files as one number. Threads: pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>

namespace mneme {

// Nanoseconds since 1970. File systems know years far beyond those that fit: times before 1811 and after 2262 are taken
// for the nearest of those, so that the difference from now fits, too.
inline int64_t file_time_ns(const timespec& time) {
  constexpr int64_t kEarliest = -5'000'000'000;
  constexpr int64_t kLatest = 9'223'372'035;
  const int64_t seconds = std::clamp<int64_t>(time.tv_sec, kEarliest, kLatest);
  return seconds * 1'000'000'000 + time.tv_nsec;
}

}  // namespace mneme
