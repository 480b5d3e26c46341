#include "engine/engine_queue.h"

#include <cstddef>

namespace mneme::engine {

namespace {

size_t index(Priority priority) {
  return priority == Priority::kInteractive ? 0 : 1;
}

}  // namespace

EngineQueue::Turn EngineQueue::enter(Priority priority) {
  acquire(priority);
  return Turn(*this, priority);
}

EngineQueue::Turn::~Turn() {
  queue_.release();
}

void EngineQueue::Turn::give_way() {
  if (priority_ == Priority::kInteractive) return;
  {
    MutexLock lock(queue_.mutex_);
    if (queue_.waiting_[index(Priority::kInteractive)] == 0 || queue_.depth_ > 1) return;
  }
  queue_.release();
  queue_.acquire(priority_);
}

int EngineQueue::n_waiting(Priority priority) const {
  MutexLock lock(mutex_);
  return waiting_[index(priority)];
}

void EngineQueue::acquire(Priority priority) {
  MutexLock lock(mutex_);
  if (!is_mine()) {
    ++waiting_[index(priority)];
    const bool background = priority == Priority::kBackground;
    while (depth_ > 0 || (background && waiting_[index(Priority::kInteractive)] > 0)) freed_.wait(mutex_);
    --waiting_[index(priority)];
    owner_ = std::this_thread::get_id();
  }
  ++depth_;
}

void EngineQueue::release() {
  MutexLock lock(mutex_);
  if (--depth_ == 0) freed_.notify_all();
}

}  // namespace mneme::engine
