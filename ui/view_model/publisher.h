// Holds the current snapshot and publishes changed copies. Threads: all functions from any thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "base/status.h"
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

  uint64_t notice(Notice notice) {
    notice.id = next_notice_.fetch_add(1);
    const uint64_t id = notice.id;
    update([&](Snapshot& s) { s.notices.push_back(std::move(notice)); });
    return id;
  }
  uint64_t notice(std::string text, bool is_error) {
    Notice notice;
    notice.is_error = is_error;
    notice.text = std::move(text);
    return this->notice(std::move(notice));
  }
  // Says what went wrong, if anything did.
  void report(const Status& status) {
    if (!status.ok()) notice(status.message(), true);
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const Snapshot> current_ MNEME_GUARDED_BY(mutex_);
  std::atomic<uint64_t> next_notice_{1};
  const std::function<void()> wake_;
};

}  // namespace mneme::ui
