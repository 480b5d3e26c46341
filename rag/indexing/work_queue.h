// A bounded queue between index workers and the catalogue writer: workers wait while it is full, the writer while it is
// empty and someone may still push. Threads: as many pushers as said, one popper.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <utility>

#include "base/mutex.h"

namespace mneme::rag {

template <typename T>
class WorkQueue {
 public:
  WorkQueue(size_t capacity, int n_pushers) : capacity_(capacity), n_pushers_(n_pushers) {}

  // False when the queue has been closed: the item is dropped.
  bool push(T item) {
    MutexLock lock(mutex_);
    while (items_.size() >= capacity_ && !closed_) changed_.wait(mutex_);
    if (closed_) return false;
    items_.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }

  // Once by each pusher: it pushes nothing more.
  void leave() {
    MutexLock lock(mutex_);
    --n_pushers_;
    changed_.notify_all();
  }

  // Nothing after `patience` without an item, and at once when there will be no more.
  std::optional<T> pop(std::chrono::milliseconds patience) {
    MutexLock lock(mutex_);
    if (items_.empty() && n_pushers_ > 0) changed_.wait_for(mutex_, patience);
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    changed_.notify_all();
    return item;
  }

  // Nothing is left and all pushers have gone.
  bool drained() {
    MutexLock lock(mutex_);
    return items_.empty() && n_pushers_ <= 0;
  }

  void close() {
    MutexLock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  const size_t capacity_;
  Mutex mutex_;
  CondVar changed_;
  int n_pushers_ MNEME_GUARDED_BY(mutex_);
  std::deque<T> items_ MNEME_GUARDED_BY(mutex_);
  bool closed_ MNEME_GUARDED_BY(mutex_) = false;
};

}  // namespace mneme::rag
