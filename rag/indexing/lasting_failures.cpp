#include "rag/indexing/lasting_failures.h"

#include <algorithm>
#include <chrono>

namespace mneme::rag {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::seconds kJustNow{2};

// Of the file, not of the moment. Of want of memory and of time nobody knows; the next run by hand tries again.
bool is_lasting(const Status& status) {
  return status.code() == StatusCode::kCorruption || status.code() == StatusCode::kUnsupported ||
         status.code() == StatusCode::kResource;
}

bool was_written_just_now(const FoundFile& file) {
  const auto now = std::chrono::duration_cast<nanoseconds>(std::chrono::system_clock::now().time_since_epoch());
  return std::chrono::abs(now - nanoseconds(file.mtime_ns)) < kJustNow;
}

}  // namespace

void LastingFailures::note(const FoundFile& file, const Status& status) {
  if (is_lasting(status) && !was_written_just_now(file)) {
    failed_[file.path] = {file, status.message()};
  } else {
    failed_.erase(file.path);
  }
}

std::vector<IndexFailure> LastingFailures::take_out_of(IndexPlan& plan) const {
  std::vector<IndexFailure> taken;
  const auto fails_again = [&](const PlannedFile& planned) {
    const auto known = failed_.find(planned.file.path);
    if (known == failed_.end()) return false;
    const FoundFile& then = known->second.file;
    if (then.size_bytes != planned.file.size_bytes || then.mtime_ns != planned.file.mtime_ns) return false;
    taken.push_back({planned.file.path, known->second.error});
    plan.work_bytes -= planned.file.size_bytes;
    return true;
  };
  std::erase_if(plan.work, fails_again);
  return taken;
}

}  // namespace mneme::rag
