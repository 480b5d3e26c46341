// A mutex the compiler checks: clang's thread-safety analysis sees which member each lock guards.
// Members are const, self-synchronised, or marked MNEME_GUARDED_BY(mutex_).
#pragma once

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define MNEME_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define MNEME_THREAD_ATTRIBUTE(x)
#endif
#define MNEME_GUARDED_BY(m) MNEME_THREAD_ATTRIBUTE(guarded_by(m))
#define MNEME_REQUIRES(...) MNEME_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define MNEME_EXCLUDES(...) MNEME_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

namespace mneme {

class MNEME_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  void lock() MNEME_THREAD_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
  void unlock() MNEME_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
  bool try_lock() MNEME_THREAD_ATTRIBUTE(try_acquire_capability(true)) { return mutex_.try_lock(); }

 private:
  std::mutex mutex_;
};

class MNEME_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) MNEME_THREAD_ATTRIBUTE(acquire_capability(mutex)) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() MNEME_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Waits on a Mutex held by the caller; use in a loop over the condition.
class CondVar {
 public:
  void wait(Mutex& mutex) MNEME_REQUIRES(mutex) { condition_.wait(mutex); }
  template <typename Rep, typename Period>
  bool wait_for(Mutex& mutex, std::chrono::duration<Rep, Period> time) MNEME_REQUIRES(mutex) {
    return condition_.wait_for(mutex, time) == std::cv_status::no_timeout;
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable_any condition_;
};

}  // namespace mneme
