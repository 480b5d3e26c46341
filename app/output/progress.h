// A progress bar with rate and time left, on standard error when that is a terminal.
// Threads: update() may be called from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/output/output.h"
#include "base/mutex.h"

namespace mneme::app {

// Time left by the mean rate so far: nothing in the first moments or without a total.
struct ProgressLine {
  uint64_t done = 0;
  uint64_t total = 0;  // 0: not known yet
  double seconds = 0;
  std::string_view unit;   // "files"
  std::string_view label;  // what is being worked on
};
std::string format_progress(const ProgressLine& line, int columns);

class Progress {
 public:
  Progress(Output& output, std::string unit);
  ~Progress();  // removes the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(uint64_t done, uint64_t total, std::string_view label);
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  Output& output_;
  const std::string unit_;
  const Clock::time_point start_ = Clock::now();
  Mutex mutex_;
  Clock::time_point shown_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::app
