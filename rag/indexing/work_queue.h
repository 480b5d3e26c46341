// A bounded queue between index workers and the catalogue writer: workers wait while it is full, the writer while it is
// empty. Threads: any number of pushers, one popper.
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
  explicit WorkQueue(size_t capacity) : capacity_(capacity) {}

  // False when the queue has been closed: the item is dropped.
  bool push(T item) {
    MutexLock lock(mutex_);
    while (items_.size() >= capacity_ && !closed_) changed_.wait(mutex_);
    if (closed_) return false;
    items_.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }

  // Nothing after `patience` without an item.
  std::optional<T> pop(std::chrono::milliseconds patience) {
    MutexLock lock(mutex_);
    if (items_.empty()) changed_.wait_for(mutex_, patience);
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    changed_.notify_all();
    return item;
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
  std::deque<T> items_ MNEME_GUARDED_BY(mutex_);
  bool closed_ MNEME_GUARDED_BY(mutex_) = false;
};

}  // namespace mneme::rag
