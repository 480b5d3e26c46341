// Which operation on files goes wrong, for tests: the n-th change fails, is done by half, or is the last thing that
// ever happens. Shared by the environments and their SQLite files. Threads: may be used from any thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/mutex.h"
#include "base/status.h"

namespace mneme::storage {

enum class FaultKind {
  kIoError,     // the operation fails, nothing is done
  kNoSpace,     // as above, and so do all later writes until clear()
  kShortWrite,  // half of a write is done, then it fails
  kCrash,       // half of a write is done; from then on everything fails: the process is dead
};

class FaultPlan {
 public:
  // The operation with this number (from 0, counted since arm()) fails.
  void arm(FaultKind kind, int64_t operation);
  void clear();                // no faults from now on; counting starts again
  int64_t operations() const;  // changes counted since arm() or clear()
  bool fired() const;

  // Asked before every change of the disk (create, write, truncate, sync, rename, remove). `allowed_bytes` of a write
  // may be done before the failure that is returned.
  Status before_change(const std::string& what, uint64_t bytes, uint64_t& allowed_bytes);
  // Asked before everything else: fails after a crash.
  Status before_read(const std::string& what);

 private:
  mutable Mutex mutex_;
  FaultKind kind_ MNEME_GUARDED_BY(mutex_) = FaultKind::kIoError;
  int64_t at_ MNEME_GUARDED_BY(mutex_) = -1;
  int64_t count_ MNEME_GUARDED_BY(mutex_) = 0;
  bool fired_ MNEME_GUARDED_BY(mutex_) = false;
};

}  // namespace mneme::storage
