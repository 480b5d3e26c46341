#include "ui/view_model/task_queue.h"

#include <pthread.h>

#include <utility>

#include "base/guarded.h"

namespace mneme::ui {

TaskQueue::~TaskQueue() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void TaskQueue::post(std::function<void()> task) {
  MutexLock lock(mutex_);
  tasks_.push_back(std::move(task));
  changed_.notify_all();
}

void TaskQueue::finish(std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  MutexLock lock(mutex_);
  while (works_ || !tasks_.empty()) {
    const auto left = end - std::chrono::steady_clock::now();
    if (left <= left.zero()) return;
    changed_.wait_for(mutex_, left);
  }
}

void TaskQueue::run() {
  ::pthread_setname_np(::pthread_self(), name_.c_str());
  set_priority(priority_);
  for (;;) {
    std::function<void()> task;
    {
      MutexLock lock(mutex_);
      if (std::exchange(works_, false) && tasks_.empty()) changed_.notify_all();
      while (tasks_.empty() && !stopping_) changed_.wait(mutex_);
      if (stopping_) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
      works_ = true;
    }
    // Tasks report their failures themselves; one that cannot even do that for want of memory is dropped.
    attempt(task);
  }
}

}  // namespace mneme::ui
