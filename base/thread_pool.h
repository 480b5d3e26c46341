// Worker threads that run one parallel loop at a time, for compute kernels. The caller takes part, so a pool of n
// starts n - 1; for callers of another scheduling policy or nice value others that have it. They wait briefly, then
// sleep. Threads: parallel_for may be called from any thread, one loop at a time (calls are serialised). From within a
// loop body of the same pool, the calling thread runs all of the inner loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace mneme {

class ThreadPool {
 public:
  // n_threads >= 1, counting the caller.
  explicit ThreadPool(int n_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int n_threads() const;

  // Calls body(worker, begin, end) over disjoint ranges that cover [0, count), in chunks of `grain` claimed
  // dynamically. worker is in [0, n_threads) and distinct among concurrent calls, for per-thread scratch. Returns when
  // all is done. What a body throws, on whatever thread, is thrown here; the rest of the loop is then left out.
  void parallel_for(size_t count, size_t grain, const std::function<void(int worker, size_t begin, size_t end)>& body);

  // The same, but every worker has a part of its own, [part_begin(count, w), part_begin(count, w + 1)), and takes it in
  // order, so that it knows what it will do next; then it helps the others from the ends of theirs. count < 2^32.
  // most: of its own part a worker takes up to so many at once, but no more than half of what is left of it, or grain.
  void parallel_for_parts(size_t count, size_t grain,
                          const std::function<void(int worker, size_t begin, size_t end)>& body, size_t most = 0);
  size_t part_begin(size_t count, int worker) const {
    return count * static_cast<size_t>(worker) / static_cast<size_t>(n_threads());
  }

  // For loop bodies: memory that the calling thread will read first in a later loop. While it waits for others it asks
  // for this memory's lines, one piece after the other, so that the memory system does not stand idle between loops.
  // Takes the place of what the thread named before. Only addresses are used: the memory may go away.
  static constexpr size_t kMostWaitingReads = 16;  // pieces
  static void read_while_waiting(std::span<const std::span<const uint8_t>> pieces);
  // How many of the pieces the calling thread has asked for entirely since then.
  static size_t n_read_while_waiting();
  // For what the caller does by itself between loops: asks for a few lines of the pieces, which come while it goes on.
  static void read_some();

  static int physical_cores();

 private:
  struct State;
  // How a loop is dealt out.
  struct Deal {
    size_t count;
    size_t grain;
    bool in_parts;
    size_t most;  // with parts
  };
  void run_loop(Deal deal, const std::function<void(int, size_t, size_t)>& body);
  std::unique_ptr<State> state_;
};

}  // namespace mneme
