#include "rag/readers/stall_guard.h"

#include <unistd.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "base/guarded.h"
#include "base/mutex.h"

namespace mneme::readers {
namespace {

constexpr int kMostStuck = 32;  // threads that may hang at a time before further work is refused
std::atomic<int> stuck_threads{0};

// What caller and helper share; the helper keeps it alive when the caller has given up.
struct Desk {
  Mutex mutex;
  CondVar changed;
  std::function<Status()> work MNEME_GUARDED_BY(mutex);
  std::optional<Status> result MNEME_GUARDED_BY(mutex);
  bool closing MNEME_GUARDED_BY(mutex) = false;
  bool abandoned MNEME_GUARDED_BY(mutex) = false;
};

void serve(const std::shared_ptr<Desk>& desk) {
  while (true) {
    std::function<Status()> work;
    {
      MutexLock lock(desk->mutex);
      while (!desk->work && !desk->closing) desk->changed.wait(desk->mutex);
      if (desk->closing) return;
      work = std::exchange(desk->work, nullptr);
    }
    Status result = guarded("reading a file", work);
    work = nullptr;
    MutexLock lock(desk->mutex);
    if (desk->abandoned) {
      --stuck_threads;
      return;
    }
    desk->result = std::move(result);
    desk->changed.notify_all();
  }
}

class Helper {
 public:
  Helper() : desk_(std::make_shared<Desk>()), thread_([desk = desk_] { serve(desk); }) {}
  ~Helper() {
    if (!thread_.joinable()) return;
    {
      MutexLock lock(desk_->mutex);
      desk_->closing = true;
      desk_->changed.notify_all();
    }
    thread_.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  // False in a process forked since: it has none of its parent's threads.
  bool is_in_this_process() const { return process_ == ::getpid(); }

  // Nothing when the time was up or the caller cancelled; the helper is of no more use then.
  std::optional<Status> run(std::chrono::milliseconds time, const CancelToken* cancel, std::function<Status()> work) {
    const auto deadline = std::chrono::steady_clock::now() + time;
    MutexLock lock(desk_->mutex);
    desk_->work = std::move(work);
    desk_->result.reset();
    desk_->changed.notify_all();
    while (!desk_->result) {
      desk_->changed.wait_for(desk_->mutex, std::chrono::milliseconds(50));
      if (desk_->result) break;
      if (std::chrono::steady_clock::now() < deadline && !(cancel && cancel->cancelled())) continue;
      desk_->abandoned = true;
      ++stuck_threads;
      thread_.detach();
      return std::nullopt;
    }
    return std::exchange(desk_->result, std::nullopt);
  }

 private:
  const pid_t process_ = ::getpid();
  std::shared_ptr<Desk> desk_;
  std::thread thread_;
};

// What a forked process inherited can neither serve nor be joined, and is left as it is.
struct EndHelper {
  void operator()(Helper* helper) const {
    if (helper->is_in_this_process()) delete helper;
  }
};

}  // namespace

Status run_guarded(std::string_view what, std::chrono::milliseconds time, const CancelToken* cancel,
                   std::function<Status()> work) {
  if (stuck_threads.load() >= kMostStuck) {
    return resource_error("reading " + std::string(what) + " was not tried: too many files do not answer.");
  }
  thread_local std::unique_ptr<Helper, EndHelper> helper;
  if (!helper || !helper->is_in_this_process()) {
    try {
      helper.reset(new Helper);
    } catch (const std::system_error&) {  // no thread can be started
      return resource_error("reading " + std::string(what) +
                            " was not tried: there is no memory for a thread that reads; raise --memory or close other "
                            "programs.");
    }
  }
  std::optional<Status> result = helper->run(time, cancel, std::move(work));
  if (result) return std::move(*result);
  helper.reset();
  if (cancel && cancel->cancelled()) return cancelled();
  return resource_error("reading " + std::string(what) + " took longer than " + std::to_string(time.count()) +
                        " ms; is its folder on a network that does not answer?");
}

}  // namespace mneme::readers
