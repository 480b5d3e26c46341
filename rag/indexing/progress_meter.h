// Rate, time left and what is done of an index run, told some ten times a second.
// Ownership: borrows its arguments. Threads: the run's own.
#pragma once

#include <chrono>
#include <functional>

#include "rag/indexing/index_control.h"
#include "rag/indexing/index_report.h"

namespace mneme::rag {

class ProgressMeter {
 public:
  static constexpr std::chrono::milliseconds kTick{100};

  ProgressMeter(const std::function<void(const IndexProgress&)>& tell, const IndexGate& gate)
      : tell_(tell), gate_(gate) {}

  // Counts are the caller's; paused, seconds, rate and ETA are the meter's.
  IndexProgress progress;

  // Tells, when the last time was a tick ago; `now`: in any case.
  void show(bool now = false);

  // Since the run began, without the time paused.
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  const std::function<void(const IndexProgress&)>& tell_;
  const IndexGate& gate_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_shown_{};
  double begun_s_ = 0.0;  // when the first document was being worked on
};

}  // namespace mneme::rag
