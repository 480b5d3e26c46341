// Cancellation: one flag, many watchers. Work polls it between layers, files or batches.
// Threads: cancel() and cancelled() may be called from any thread, cancel() also from a signal handler.
#pragma once

#include <atomic>

namespace mneme {

class CancelToken {
 public:
  CancelToken() = default;
  // Also cancelled when `parent` is, which must outlive it.
  explicit CancelToken(const CancelToken* parent) : parent_(parent) {}

  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const {
    return cancelled_.load(std::memory_order_relaxed) || (parent_ != nullptr && parent_->cancelled());
  }

 private:
  std::atomic<bool> cancelled_{false};
  const CancelToken* const parent_ = nullptr;
  static_assert(std::atomic<bool>::is_always_lock_free);
};

// For callers that never cancel.
const CancelToken& never_cancelled();

}  // namespace mneme
