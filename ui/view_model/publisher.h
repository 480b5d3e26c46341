// Holds the current snapshot and publishes changed copies. Who reads waits for no more than the exchange of a pointer:
// the copy is made, and the old one taken apart, outside of the lock it takes, by the thread that publishes. That
// thread may have a low priority and stand still in the middle of either while others compute.
// Threads: all functions from any thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "ui/view_model/snapshot.h"

namespace mneme::ui {

class Publisher {
 public:
  explicit Publisher(std::function<void()> wake) : current_(std::make_shared<Snapshot>()), wake_(std::move(wake)) {
    returned_.reserve(kMostReturned);
  }

  std::shared_ptr<const Snapshot> current() const {
    MutexLock lock(mutex_);
    return current_;
  }

  bool has_newer(const Snapshot* shown) const {
    MutexLock lock(mutex_);
    return current_.get() != shown;
  }

  // Publishes a copy that `change` has worked on. `change` must not publish.
  void update(const std::function<void(Snapshot&)>& change) {
    {
      MutexLock turn(updating_);
      auto next = std::make_shared<Snapshot>(*current());
      change(*next);
      exchange(std::move(next));
    }
    free_returned();
    if (wake_) wake_();
  }

  // Takes back a snapshot that was drawn and is no longer needed: taking it apart would let the window wait for the
  // allocator's locks, which belong to the threads that made it.
  void take_back(std::shared_ptr<const Snapshot> snapshot) {
    MutexLock lock(mutex_);
    if (returned_.size() < kMostReturned) returned_.push_back(std::move(snapshot));
  }
  void free_returned() {
    std::vector<std::shared_ptr<const Snapshot>> returned;
    returned.reserve(kMostReturned);
    MutexLock lock(mutex_);
    returned.swap(returned_);
    // The lock goes first, then what was returned.
  }

  // What is said already is said anew, not twice.
  uint64_t notice(Notice notice) {
    notice.id = next_notice_.fetch_add(1);
    const uint64_t id = notice.id;
    update([&](Snapshot& s) {
      std::erase_if(s.notices, [&](const Notice& before) { return before.says_the_same(notice); });
      s.notices.push_back(std::move(notice));
    });
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
  static constexpr size_t kMostReturned = 32;

  void exchange(std::shared_ptr<const Snapshot> next) {
    MutexLock lock(mutex_);
    current_.swap(next);
    // The lock goes first, then the snapshot before.
  }

  Mutex updating_;  // held while a copy is changed; taken before mutex_
  mutable Mutex mutex_;
  std::shared_ptr<const Snapshot> current_ MNEME_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<const Snapshot>> returned_ MNEME_GUARDED_BY(mutex_);
  std::atomic<uint64_t> next_notice_{1};
  const std::function<void()> wake_;
};

}  // namespace mneme::ui
