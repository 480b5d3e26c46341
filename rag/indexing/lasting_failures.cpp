#include "rag/indexing/lasting_failures.h"

#include <algorithm>
#include <chrono>

#include "base/wall_clock.h"
#include "rag/indexing/folder_changes.h"

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
  return std::chrono::abs(nanoseconds(now_ns()) - nanoseconds(file.state.mtime_ns)) < kJustNow;
}

}  // namespace

void LastingFailures::note(const FoundFile& file, const Status& status, Clock::time_point now) {
  if (!is_lasting(status) || was_written_just_now(file)) {
    failed_.erase(file.path);
    again_.insert(file.path);
    return;
  }
  const auto known = failed_.find(file.path);
  const Clock::duration waited = known == failed_.end() ? Clock::duration{} : known->second.waits;
  const Clock::duration waits = std::clamp(2 * waited, kFirstWait, kLongestWait);
  const bool for_good = status.code() != StatusCode::kResource;
  failed_[file.path] = {file, status.message(), for_good ? Clock::time_point::max() : now + waits, waits};
}

void LastingFailures::begin(const WalkResult& walk) {
  const auto is_found = [&](const std::string& path) {
    const auto at =
        std::lower_bound(walk.files.begin(), walk.files.end(), path,
                         [](const FoundFile& file, const std::string& wanted) { return file.path < wanted; });
    return at != walk.files.end() && at->path == path;
  };
  std::erase_if(again_, [&](const std::string& path) { return is_at_or_below_any(path, walk.looked_at); });
  std::erase_if(failed_, [&](const auto& failed) {
    return is_at_or_below_any(failed.first, walk.looked_at) && !is_found(failed.first);
  });
  for (const WalkProblem& problem : walk.problems) {
    if (problem.hides_folder) again_.insert(problem.path);
  }
}

std::vector<std::string> LastingFailures::to_look_at_again(Clock::time_point now) const {
  std::vector<std::string> paths(again_.begin(), again_.end());
  for (const auto& [path, failed] : failed_) {
    if (now >= failed.until) paths.push_back(path);
  }
  return paths;
}

std::vector<IndexFailure> LastingFailures::not_below(const std::vector<std::string>& places) const {
  std::vector<IndexFailure> failures;
  for (const auto& [path, failed] : failed_) {
    if (!is_at_or_below_any(path, places)) failures.push_back({path, failed.error});
  }
  return failures;
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
