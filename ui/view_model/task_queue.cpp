#include "ui/view_model/task_queue.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

#include "base/guarded.h"

namespace mneme::ui {
namespace {

constexpr int kBehindWindowNice = 4;  // two fifths of the weight of a thread that draws
constexpr int kBackgroundNice = 10;

// On Linux both are a thread's own, and the threads it starts inherit them. SCHED_IDLE is more than a low weight: the
// system counts a processor that runs only such threads as free, so that a thread that draws starts at once. Where
// neither can be set all are equal.
void set_priority(Priority priority) {
  if (priority == Priority::kNormal) return;
  const sched_param none{};
  if (priority == Priority::kBackground && ::sched_setscheduler(0, SCHED_IDLE, &none) == 0) return;
  const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
  const int nice = priority == Priority::kBackground ? kBackgroundNice : kBehindWindowNice;
  static_cast<void>(::setpriority(PRIO_PROCESS, thread, nice));
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
  ::pthread_setname_np(::pthread_self(), name_.c_str());
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
