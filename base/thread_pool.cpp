#include "base/thread_pool.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/fetch_ahead.h"
#include "base/guarded.h"
#include "base/mutex.h"

namespace mneme {

namespace {

// The gate of the current loop in one word: its number, whether workers may still join, how many are inside.
constexpr uint64_t kOpen = uint64_t{1} << 31;
constexpr uint32_t loop_number(uint64_t gate) {
  return static_cast<uint32_t>(gate >> 32);
}
constexpr uint64_t n_inside(uint64_t gate) {
  return gate & (kOpen - 1);
}

// What is left of a worker's part: first index in the upper half, end in the lower. Taken from both sides.
struct alignas(64) Part {
  std::atomic<uint64_t> left{0};

  static constexpr uint64_t pack(uint64_t begin, uint64_t end) { return begin << 32 | end; }

  // The next indices from one side: `grain` of them, or up to `most` but no more than half; false when nothing is left.
  bool take(size_t grain, size_t most, bool from_end, size_t& begin, size_t& end) {
    uint64_t current = left.load(std::memory_order_relaxed);
    for (;;) {
      begin = current >> 32;
      end = current & 0xffffffffu;
      if (begin >= end) return false;
      const size_t count = std::min(std::max(grain, std::min(most, (end - begin) / 2)), end - begin);
      const uint64_t rest = from_end ? pack(begin, end - count) : pack(begin + count, end);
      if (!left.compare_exchange_weak(current, rest, std::memory_order_relaxed)) continue;
      from_end ? begin = end - count : end = begin + count;
      return true;
    }
  }
};

// How the system's scheduler ranks a thread; a thread begins with its starter's.
struct Standing {
  int policy = 0;
  int nice = 0;
  bool operator==(const Standing&) const = default;

  // Of the calling thread, when it first asked: threads take their place before they compute.
  static Standing of_caller() {
    thread_local const Standing standing{::sched_getscheduler(0),
                                         ::getpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)))};
    return standing;
  }
};

// In a loop that waits: lets the other thread of the core go first.
void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Memory to be fetched by a thread that waits: ThreadPool::read_while_waiting.
class WaitingReads {
 public:
  void set(std::span<const std::span<const uint8_t>> pieces) {
    count_ = std::min(pieces.size(), pieces_.size());
    std::copy_n(pieces.begin(), count_, pieces_.begin());
    next_ = 0;
    ahead_ = FetchAhead(nullptr, 0);
  }
  size_t n_asked() const { return ahead_.done() ? next_ : next_ - 1; }
  // Asks for n_lines more; false where none are left.
  bool ask(int64_t n_lines) {
    while (ahead_.done()) {
      if (next_ == count_) return false;
      const std::span<const uint8_t> piece = pieces_[next_++];
      ahead_ = FetchAhead(piece.data(), static_cast<int64_t>(piece.size()));
    }
    ahead_.fetch(n_lines);
    return true;
  }
  // Few lines, as the wait may be over at any moment; where none are left, lets the other thread of the core go first.
  void wait_a_little() {
    if (!ask(8)) relax();
  }

 private:
  std::array<std::span<const uint8_t>, ThreadPool::kMostWaitingReads> pieces_;
  size_t count_ = 0;
  size_t next_ = 0;
  FetchAhead ahead_{nullptr, 0};
};

thread_local WaitingReads waiting_reads;

// The loop body that the calling thread is in: of which pool, as which worker.
struct InsideLoop {
  const void* pool = nullptr;
  int worker = 0;
};
thread_local InsideLoop inside_loop;

class InsideLoopScope {
 public:
  InsideLoopScope(const void* pool, int worker) : before_(inside_loop) { inside_loop = {pool, worker}; }
  ~InsideLoopScope() { inside_loop = before_; }
  InsideLoopScope(const InsideLoopScope&) = delete;
  InsideLoopScope& operator=(const InsideLoopScope&) = delete;

 private:
  const InsideLoop before_;
};

// The workers for callers of one standing, and the loop they run.
// A loop does not wait for workers that have not joined it: when the system gives a core to somebody else, the caller
// does the whole loop by itself instead of standing still at every operation.
struct Crew {
  using Body = std::function<void(int, size_t, size_t)>;

  // How long a worker looks for the next loop before it sleeps: kernels follow each other within microseconds.
  static constexpr int kSpins = 2000;

  const void* const pool;  // for its address
  const Standing standing;
  Mutex mutex;   // for sleeping only
  CondVar wake;  // workers: a new loop, or the end
  CondVar done;  // the caller: the last worker has left
  std::atomic<int> sleeping_workers{0};
  std::atomic<bool> caller_sleeps{false};
  std::atomic<bool> stopping{false};
  std::atomic<uint64_t> gate{0};
  // The loop: written while the gate is closed and nobody inside, read by those inside.
  std::atomic<size_t> next{0};
  size_t count = 0;
  size_t grain = 1;
  size_t most = 0;
  const Body* body = nullptr;
  bool in_parts = false;
  std::vector<Part> parts;  // per worker
  std::vector<std::thread> threads;

  // The first exception of a body, to be thrown again by the caller: workers must not end the process.
  std::exception_ptr failure;
  std::atomic<bool> failed{false};

  void work(int worker) noexcept {
    const InsideLoopScope inside(pool, worker);
    try {
      in_parts ? work_in_parts(worker) : work_in_order(worker);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
      next.store(count, std::memory_order_relaxed);
      for (Part& part : parts) part.left.store(0, std::memory_order_relaxed);
    }
  }

  void work_in_parts(int worker) {
    const int n = static_cast<int>(parts.size());
    for (int i = 0; i < n; ++i) {
      Part& part = parts[static_cast<size_t>((worker + i) % n)];
      size_t begin = 0;
      size_t end = 0;
      while (part.take(grain, i > 0 ? 0 : most, i > 0, begin, end)) (*body)(worker, begin, end);
    }
  }

  void work_in_order(int worker) {
    for (;;) {
      const size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
      if (begin >= count) return;
      (*body)(worker, begin, std::min(begin + grain, count));
    }
  }

  Crew(const void* of_pool, Standing of_caller, int n_threads)
      : pool(of_pool), standing(of_caller), parts(static_cast<size_t>(n_threads)) {}
  // By a thread of the crew's standing, which the workers inherit. Where it throws, fewer take part.
  void start_workers() {
    threads.reserve(parts.size());
    for (size_t i = 1; i < parts.size(); ++i) threads.emplace_back([this, i] { run(static_cast<int>(i)); });
  }
  ~Crew() {
    {
      MutexLock lock(mutex);
      stopping.store(true);
      wake.notify_all();
    }
    for (std::thread& thread : threads) thread.join();
  }

  bool is_new(uint32_t seen) const { return loop_number(gate.load()) != seen || stopping.load(); }

  void wait_for_loop(uint32_t seen) {
    for (int i = 0; i < kSpins; ++i) {
      if (is_new(seen)) return;
      waiting_reads.wait_a_little();
    }
    // Counted before the last look at the gate, as open() looks at the count after it has moved the gate: one of the
    // two sees the other.
    MutexLock lock(mutex);
    ++sleeping_workers;
    while (!is_new(seen)) wake.wait(mutex);
    --sleeping_workers;
  }

  // Joins the loop if it is still open.
  bool enter(uint32_t& seen) {
    uint64_t current = gate.load();
    seen = loop_number(current);
    while ((current & kOpen) != 0 && loop_number(current) == seen) {
      if (gate.compare_exchange_weak(current, current + 1)) return true;
    }
    return false;
  }

  void leave() {
    const uint64_t before = gate.fetch_sub(1);
    if ((before & kOpen) != 0 || n_inside(before) != 1 || !caller_sleeps.load()) return;
    MutexLock lock(mutex);
    done.notify_one();
  }

  void run(int worker) {
    uint32_t seen = 0;
    for (;;) {
      wait_for_loop(seen);
      if (stopping.load()) return;
      if (!enter(seen)) continue;
      work(worker);
      leave();
    }
  }

  void open() {
    gate.store((uint64_t{loop_number(gate.load())} + 1) << 32 | kOpen);
    if (sleeping_workers.load() == 0) return;
    MutexLock lock(mutex);
    wake.notify_all();
  }

  // No worker joins any more; returns when those inside have left.
  void close() {
    gate.fetch_and(~kOpen);
    for (int i = 0; i < kSpins; ++i) {
      if (n_inside(gate.load()) == 0) return;
      waiting_reads.wait_a_little();
    }
    MutexLock lock(mutex);
    caller_sleeps.store(true);
    while (n_inside(gate.load()) != 0) done.wait(mutex);
    caller_sleeps.store(false);
  }
};

int count_physical_cores() {
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

}  // namespace

struct ThreadPool::State {
  explicit State(int n) : n_threads(n) {
    crews.push_back(std::make_unique<Crew>(this, Standing::of_caller(), n));
    crews.back()->start_workers();
  }

  Crew& crew_for_caller() MNEME_REQUIRES(caller_mutex) {
    const Standing standing = Standing::of_caller();
    for (const std::unique_ptr<Crew>& crew : crews) {
      if (crew->standing == standing) return *crew;
    }
    crews.push_back(std::make_unique<Crew>(this, standing, n_threads));
    Crew& crew = *crews.back();
    attempt([&] { crew.start_workers(); });  // the caller computes alone where no more threads can be had
    return crew;
  }

  const int n_threads;
  Mutex caller_mutex;  // one loop at a time
  std::vector<std::unique_ptr<Crew>> crews MNEME_GUARDED_BY(caller_mutex);
};

ThreadPool::ThreadPool(int n_threads) : state_(std::make_unique<State>(std::max(1, n_threads))) {}

ThreadPool::~ThreadPool() = default;

int ThreadPool::n_threads() const {
  return state_->n_threads;
}

void ThreadPool::parallel_for(size_t count, size_t grain, const std::function<void(int, size_t, size_t)>& body) {
  run_loop({.count = count, .grain = grain, .in_parts = false, .most = 0}, body);
}

void ThreadPool::parallel_for_parts(size_t count, size_t grain, const std::function<void(int, size_t, size_t)>& body,
                                    size_t most) {
  run_loop({.count = count, .grain = grain, .in_parts = true, .most = most}, body);
}

void ThreadPool::run_loop(Deal deal, const std::function<void(int, size_t, size_t)>& body) {
  const size_t count = deal.count;
  if (count == 0) return;
  if (inside_loop.pool == state_.get()) return body(inside_loop.worker, 0, count);
  const size_t grain = std::max<size_t>(deal.grain, 1);
  if (n_threads() == 1 || count <= grain) {
    body(0, 0, count);
    return;
  }
  MutexLock caller(state_->caller_mutex);
  Crew& crew = state_->crew_for_caller();
  crew.count = count;
  crew.grain = grain;
  crew.body = &body;
  crew.most = deal.most;
  crew.in_parts = deal.in_parts;
  crew.next.store(0, std::memory_order_relaxed);
  for (int worker = 0; deal.in_parts && worker < n_threads(); ++worker)
    crew.parts[static_cast<size_t>(worker)].left.store(
        Part::pack(part_begin(count, worker), part_begin(count, worker + 1)), std::memory_order_relaxed);
  crew.open();
  crew.work(0);
  crew.close();
  if (!crew.failed.exchange(false)) return;
  std::rethrow_exception(std::exchange(crew.failure, nullptr));
}

void ThreadPool::read_while_waiting(std::span<const std::span<const uint8_t>> pieces) {
  waiting_reads.set(pieces);
}

size_t ThreadPool::n_read_while_waiting() {
  return waiting_reads.n_asked();
}

void ThreadPool::read_some() {
  constexpr int64_t kLines = 32;  // that a core of today has under way at once, about
  (void)waiting_reads.ask(kLines);
}

int ThreadPool::physical_cores() {
  static const int n_cores = count_physical_cores();  // asked for with every answer, read from some files
  return n_cores;
}

}  // namespace mneme
