// One thread that runs tasks in the order they were posted. The destructor drops tasks not begun and waits for the one
// in work. On a machine whose every core works frames come in time because what the queue does, and all threads begun
// from it, rank as its priority says. Threads: post() from any thread.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "ui/view_model/thread_priority.h"

namespace mneme::ui {

class TaskQueue {
 public:
  // `name`: what the system's tools show for the thread, behind "mneme-"; at most 9 characters.
  explicit TaskQueue(std::string name, Priority priority = Priority::kNormal)
      : name_("mneme-" + std::move(name)), priority_(priority), thread_([this] { run(); }) {}
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  void post(std::function<void()> task);
  // Waits until all that was posted has run, but no longer than `most`.
  void finish(std::chrono::milliseconds most);

 private:
  void run();

  const std::string name_;
  const Priority priority_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> tasks_ MNEME_GUARDED_BY(mutex_);
  bool works_ MNEME_GUARDED_BY(mutex_) = false;  // on one
  bool stopping_ MNEME_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: starts when the rest is there
};

}  // namespace mneme::ui
