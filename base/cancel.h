// Cancellation: one flag, many watchers. Work polls it between layers, files or batches.
// Threads: cancel() and cancelled() may be called from any thread, cancel() also from a signal handler.
#pragma once

#include <atomic>

namespace mneme {

class CancelToken {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
};

// For callers that never cancel.
const CancelToken& never_cancelled();

}  // namespace mneme
