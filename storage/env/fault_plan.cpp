#include "storage/env/fault_plan.h"

namespace mneme::storage {

void FaultPlan::arm(FaultKind kind, int64_t operation) {
  MutexLock lock(mutex_);
  kind_ = kind;
  at_ = operation;
  count_ = 0;
  fired_ = false;
}

void FaultPlan::clear() {
  arm(FaultKind::kIoError, -1);
}

int64_t FaultPlan::operations() const {
  MutexLock lock(mutex_);
  return count_;
}

bool FaultPlan::fired() const {
  MutexLock lock(mutex_);
  return fired_;
}

Status FaultPlan::before_change(const std::string& what, uint64_t bytes, uint64_t& allowed_bytes) {
  MutexLock lock(mutex_);
  allowed_bytes = bytes;
  const bool now = count_++ == at_;
  const bool dead = fired_ && (kind_ == FaultKind::kCrash || (kind_ == FaultKind::kNoSpace && bytes > 0));
  if (!now && !dead) return {};
  fired_ = true;
  const bool half = now && (kind_ == FaultKind::kCrash || kind_ == FaultKind::kShortWrite);
  allowed_bytes = half ? bytes / 2 : 0;
  if (kind_ == FaultKind::kNoSpace) return Status(StatusCode::kNoSpace, "cannot write " + what + ": no space left");
  return io_error("cannot change " + what + ": a fault was planned here");
}

Status FaultPlan::before_read(const std::string& what) {
  MutexLock lock(mutex_);
  if (fired_ && kind_ == FaultKind::kCrash) return io_error("cannot read " + what + ": the process is dead");
  return {};
}

}  // namespace mneme::storage
