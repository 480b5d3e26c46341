#include "rag/indexing/progress_meter.h"

#include <algorithm>

#include "base/stopwatch.h"

namespace mneme::rag {
namespace {

constexpr double kGuessAfter_s = 1.5;  // of work; before, what is left cannot be told

}  // namespace

double ProgressMeter::seconds() const {
  return seconds_since(start_) - std::chrono::duration<double>(gate_.waited()).count();
}

void ProgressMeter::show(bool now) {
  if (!tell_) return;
  if (!now && Clock::now() - last_shown_ < kTick) return;
  last_shown_ = Clock::now();
  progress.paused = gate_.paused();
  progress.seconds = seconds();
  // The time until the first bytes are read goes into looking for files: it says nothing of what is left.
  if (progress.documents_done == 0 && progress.bytes_done == 0) begun_s_ = progress.seconds;
  const double worked_s = progress.seconds - begun_s_;
  progress.bytes_per_s = worked_s > 0 ? static_cast<double>(progress.bytes_done) / worked_s : 0;
  const uint64_t left = progress.bytes_total - std::min(progress.bytes_total, progress.bytes_done);
  const bool can_tell = !progress.counting && progress.bytes_per_s > 0 && worked_s > kGuessAfter_s;
  progress.eta_s = can_tell ? static_cast<double>(left) / progress.bytes_per_s : -1.0;
  tell_(progress);
}

}  // namespace mneme::rag
