// One thread that runs tasks in the order they were posted. The destructor drops tasks not begun and waits for the one
// in work. Threads: post() from any thread.
//
// What nobody waits for gives way to what is looked at: on a machine whose every core works, frames come in time
// because the queue that indexes, and all threads begun from it, get the processor when nobody else wants it. Answers
// are waited for, but a frame takes milliseconds and an answer seconds: its thread, and those that compute for it, let
// frames go first and lose next to nothing by it.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <thread>

#include "base/mutex.h"

namespace mneme::ui {

enum class Priority {
  kNormal,
  kBehindWindow,  // somebody waits for it, and looks at the window meanwhile: gets what drawing leaves, and that is
                  // most
  kBackground,
};

class TaskQueue {
 public:
  // `name`: what the system's tools show for the thread, behind "mneme-"; at most 9 characters.
  explicit TaskQueue(std::string name, Priority priority = Priority::kNormal)
      : name_("mneme-" + std::move(name)), priority_(priority), thread_([this] { run(); }) {}
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  void post(std::function<void()> task);

 private:
  void run();

  const std::string name_;
  const Priority priority_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> tasks_ MNEME_GUARDED_BY(mutex_);
  bool stopping_ MNEME_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: starts when the rest is there
};

}  // namespace mneme::ui
