// Holds the current snapshot and publishes changed copies. Threads: all functions from any thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "ui/view_model/snapshot.h"

namespace mneme::ui {

class Publisher {
 public:
  explicit Publisher(std::function<void()> wake) : current_(std::make_shared<Snapshot>()), wake_(std::move(wake)) {}

  std::shared_ptr<const Snapshot> current() const {
    MutexLock lock(mutex_);
    return current_;
  }

  // Publishes a copy that `change` has worked on. `change` must not call back here.
  void update(const std::function<void(Snapshot&)>& change) {
    {
      MutexLock lock(mutex_);
      auto next = std::make_shared<Snapshot>(*current_);
      change(*next);
      current_ = std::move(next);
    }
    if (wake_) wake_();
  }

  void notice(std::string text, bool is_error) {
    const uint64_t id = next_notice_.fetch_add(1);
    update([&](Snapshot& s) { s.notices.push_back({id, is_error, std::move(text)}); });
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const Snapshot> current_ MNEME_GUARDED_BY(mutex_);
  std::atomic<uint64_t> next_notice_{1};
  const std::function<void()> wake_;
};

}  // namespace mneme::ui
