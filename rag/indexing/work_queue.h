// A bounded queue between index workers and the catalogue writer: workers wait while it is full, by the number of its
// items or by what they weigh together, the writer while it is empty and someone may still push. An item that weighs
// more than the queue holds goes through alone. Threads: as many pushers as said, one popper.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <utility>

#include "base/mutex.h"

namespace mneme::rag {

template <typename T>
class WorkQueue {
 public:
  WorkQueue(size_t capacity, int n_pushers, uint64_t most_weight = std::numeric_limits<uint64_t>::max())
      : capacity_(capacity), most_weight_(most_weight), n_pushers_(n_pushers) {}

  // False when the queue has been closed: the item is dropped.
  bool push(T item, uint64_t weight = 0) {
    MutexLock lock(mutex_);
    while (is_full_for(weight) && !closed_) changed_.wait(mutex_);
    if (closed_) return false;
    items_.emplace_back(std::move(item), weight);
    weight_ += weight;
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
    std::optional<T> item(std::move(items_.front().first));
    weight_ -= items_.front().second;
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
  bool is_full_for(uint64_t weight) const MNEME_REQUIRES(mutex_) {
    if (items_.empty()) return false;
    return items_.size() >= capacity_ || weight > most_weight_ || weight_ > most_weight_ - weight;
  }

  const size_t capacity_;
  const uint64_t most_weight_;
  Mutex mutex_;
  CondVar changed_;
  int n_pushers_ MNEME_GUARDED_BY(mutex_);
  std::deque<std::pair<T, uint64_t>> items_ MNEME_GUARDED_BY(mutex_);  // each with its weight
  uint64_t weight_ MNEME_GUARDED_BY(mutex_) = 0;                       // of all
  bool closed_ MNEME_GUARDED_BY(mutex_) = false;
};

}  // namespace mneme::rag
