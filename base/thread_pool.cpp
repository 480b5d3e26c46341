#include "base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace mneme {

struct ThreadPool::State {
  using Body = std::function<void(int, size_t, size_t)>;

  // How long a worker looks for the next loop before it sleeps: kernels follow each other within microseconds.
  static constexpr int kSpins = 2000;

  Mutex caller_mutex;  // one loop at a time
  Mutex mutex;
  CondVar wake;
  CondVar done;
  std::atomic<uint64_t> generation{0};
  std::atomic<int> running{0};
  std::atomic<bool> stopping{false};
  std::atomic<size_t> next{0};
  size_t count = 0;
  size_t grain = 1;
  const Body* body = nullptr;
  std::vector<std::thread> threads;

  void work(int worker) {
    for (;;) {
      const size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
      if (begin >= count) return;
      (*body)(worker, begin, std::min(begin + grain, count));
    }
  }

  void wait_for_loop(uint64_t seen) {
    for (int i = 0; i < kSpins; ++i) {
      if (generation.load(std::memory_order_acquire) != seen || stopping.load(std::memory_order_relaxed)) return;
      __builtin_ia32_pause();
    }
    MutexLock lock(mutex);
    while (generation.load(std::memory_order_acquire) == seen && !stopping.load(std::memory_order_relaxed))
      wake.wait(mutex);
  }

  void run(int worker) {
    uint64_t seen = 0;
    for (;;) {
      wait_for_loop(seen);
      if (stopping.load()) return;
      seen = generation.load(std::memory_order_acquire);
      work(worker);
      if (running.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        MutexLock lock(mutex);
        done.notify_one();
      }
    }
  }
};

ThreadPool::ThreadPool(int n_threads) : state_(std::make_unique<State>()) {
  for (int i = 1; i < std::max(1, n_threads); ++i) state_->threads.emplace_back([this, i] { state_->run(i); });
}

ThreadPool::~ThreadPool() {
  {
    MutexLock lock(state_->mutex);
    state_->stopping.store(true);
    state_->wake.notify_all();
  }
  for (std::thread& thread : state_->threads) thread.join();
}

int ThreadPool::n_threads() const {
  return static_cast<int>(state_->threads.size()) + 1;
}

void ThreadPool::parallel_for(size_t count, size_t grain, const std::function<void(int, size_t, size_t)>& body) {
  if (count == 0) return;
  grain = std::max<size_t>(grain, 1);
  if (state_->threads.empty() || count <= grain) {
    body(0, 0, count);
    return;
  }
  MutexLock caller(state_->caller_mutex);
  state_->count = count;
  state_->grain = grain;
  state_->body = &body;
  state_->next.store(0, std::memory_order_relaxed);
  state_->running.store(static_cast<int>(state_->threads.size()), std::memory_order_relaxed);
  {
    MutexLock lock(state_->mutex);
    state_->generation.fetch_add(1, std::memory_order_release);
    state_->wake.notify_all();
  }
  state_->work(0);
  for (int i = 0; i < State::kSpins && state_->running.load(std::memory_order_acquire) != 0; ++i)
    __builtin_ia32_pause();
  MutexLock lock(state_->mutex);
  while (state_->running.load(std::memory_order_acquire) != 0) state_->done.wait(state_->mutex);
}

int ThreadPool::physical_cores() {
  // Distinct (package, core) pairs; the count of hardware threads where /sys does not say.
  std::set<std::pair<std::string, std::string>> cores;
  const unsigned n_logical = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < n_logical; ++i) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(i) + "/topology/";
    std::string package;
    std::string core;
    if (!(std::ifstream(folder + "physical_package_id") >> package) || !(std::ifstream(folder + "core_id") >> core)) {
      return static_cast<int>(n_logical);
    }
    cores.emplace(package, core);
  }
  return static_cast<int>(cores.size());
}

}  // namespace mneme
