#include "rag/indexing/lasting_failures.h"

#include <algorithm>
#include <chrono>

namespace mneme::rag {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::seconds kJustNow{2};

using Clock = LastingFailures::Clock;
constexpr Clock::duration kFirstWait = std::chrono::minutes(10);
constexpr Clock::duration kLongestWait = std::chrono::hours(24);

// Of the file, not of the moment, or perhaps not.
bool is_lasting(const Status& status) {
  return status.code() == StatusCode::kCorruption || status.code() == StatusCode::kUnsupported ||
         status.code() == StatusCode::kResource;
}

bool was_written_just_now(const FoundFile& file) {
  const auto now = std::chrono::duration_cast<nanoseconds>(std::chrono::system_clock::now().time_since_epoch());
  return std::chrono::abs(now - nanoseconds(file.state.mtime_ns)) < kJustNow;
}

}  // namespace

void LastingFailures::note(const FoundFile& file, const Status& status, Clock::time_point now) {
  if (!is_lasting(status) || was_written_just_now(file)) {
    failed_.erase(file.path);
    return;
  }
  const auto known = failed_.find(file.path);
  const Clock::duration waited = known == failed_.end() ? Clock::duration{} : known->second.waits;
  const Clock::duration waits = std::clamp(2 * waited, kFirstWait, kLongestWait);
  const bool for_good = status.code() != StatusCode::kResource;
  failed_[file.path] = {file, status.message(), for_good ? Clock::time_point::max() : now + waits, waits};
}

std::vector<IndexFailure> LastingFailures::take_out_of(IndexPlan& plan, Clock::time_point now) const {
  std::vector<IndexFailure> taken;
  const auto fails_again = [&](const PlannedFile& planned) {
    const auto known = failed_.find(planned.file.path);
    if (known == failed_.end() || now >= known->second.until) return false;
    if (known->second.file.state != planned.file.state) return false;
    taken.push_back({planned.file.path, known->second.error});
    plan.work_bytes -= planned.file.state.size_bytes;
    return true;
  };
  std::erase_if(plan.work, fails_again);
  return taken;
}

}  // namespace mneme::rag
