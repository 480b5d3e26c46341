#include "ui/view_model/task_queue.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

#include "base/guarded.h"

namespace mneme::ui {
namespace {

constexpr int kBackgroundNice = 10;

// On Linux a nice value is a thread's own, and the threads it starts inherit it. Where it cannot be set all are equal.
void set_priority(Priority priority) {
  if (priority == Priority::kNormal) return;
  const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
  static_cast<void>(::setpriority(PRIO_PROCESS, thread, kBackgroundNice));
}

}  // namespace

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

void TaskQueue::run() {
  set_priority(priority_);
  for (;;) {
    std::function<void()> task;
    {
      MutexLock lock(mutex_);
      while (tasks_.empty() && !stopping_) changed_.wait(mutex_);
      if (stopping_) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    // Tasks report their failures themselves; one that cannot even do that for want of memory is dropped.
    attempt(task);
  }
}

}  // namespace mneme::ui
