// What every thread reads next, so that memory is asked for before it is needed and never stands idle.
//
// The loops of a decoding step (products, attention) follow each other in the same order for every token, and in each
// of them every thread reads a run of memory of its own (ThreadPool::parallel_for_parts). So a thread knows what it
// will read next, beyond the end of a loop as well. It asks for it in two ways: kernels ask between their instructions
// for what ask() gives them, and a thread that waits for the others goes on with the first reads of the next loop
// (ThreadPool::read_while_waiting). What was asked for while waiting is not asked for again: the requests that are left
// are spread evenly over the whole loop, which then runs ahead of the memory until it has caught up with it.
//
// Reads that follow each other in memory are asked for as one, in blocks of kBlockBytes, however short they are:
// fetching blocks of 18 KiB, a pair of panels of Q4_0, reached 12.4 GB/s with one thread where blocks of 64 KiB
// reached 14.2.
//
// Only addresses are used, nothing is read: to be wrong costs nothing but memory traffic, and the memory may go away.
// Threads: begin() between loops, by the thread that starts them; ask() by every worker for itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/fetch_ahead.h"
#include "base/thread_pool.h"

namespace mneme::engine::cpu {

class ReadChain {
 public:
  using Memory = std::span<const uint8_t>;

  // The order in which a loop reads.
  class Loop {
   public:
    // name: the same for this loop at every token, of no other loop. n_runs: 1, or 2 where reads alternate between two
    // runs of memory; every task then has an even number of them.
    Loop(const void* name, size_t n_tasks, size_t n_runs) : name(name), n_tasks(n_tasks), n_runs(n_runs) {}
    virtual ~Loop() = default;
    // Index of a task's first read; of n_tasks: the number of all reads.
    virtual size_t first_read(size_t task) const = 0;
    virtual Memory read_at(size_t read) const = 0;

    const void* const name;
    const size_t n_tasks;
    const size_t n_runs;
  };

  explicit ReadChain(ThreadPool& pool) : pool_(pool), workers_(static_cast<size_t>(pool.n_threads())) {}

  // Before the tasks of `loop` are dealt out; it must outlive them. waits: threads that wait for others after it may
  // fetch what comes next; not for loops that are bound by arithmetic.
  void begin(const Loop& loop, bool waits);

  // What is to be asked for while the worker does read `read`, one of task `task`; perhaps nothing.
  FetchAhead ask(int worker, size_t task, size_t read);

  // For workers that ask by themselves, instead of ask(): the memory that the worker reads after read `read`; empty
  // where nobody knows.
  Memory after(int worker, size_t read);

  static constexpr size_t kBlockBytes = 64 << 10;  // at least

 private:
  // What a thread reads first of a loop, in order.
  struct FirstReads {
    std::array<Memory, ThreadPool::kMostWaitingReads + 1> reads;
    size_t count = 0;
    std::span<const Memory> all() const { return std::span(reads).first(count); }
  };
  // The loop that came after another one the last time.
  struct Follower {
    const void* name = nullptr;
    size_t n_reads = 0;
    const uint8_t* first = nullptr;  // address of its first read
    std::vector<FirstReads> reads;   // per worker
  };
  // Up to where a run has been asked for.
  struct Head {
    size_t next = 0;    // the first read that `stream` does not hold
    size_t first = 0;   // the first that it does
    Memory read;        // that one's memory; the others of the stream follow it and are as long
    FetchAhead stream;  // what is left to be asked for of them
  };
  struct alignas(64) Worker {
    size_t begin = 0;  // its own reads; the first one of the next loop counts as read `end`
    size_t end = 0;
    Head heads[2];                  // of each run
    std::span<const Memory> after;  // its first reads of the next loop, where they are known
    bool has_begun = false;         // with its own reads
    bool has_ended = false;         // with them, having asked for read `end`
    // Where the loop before expected its first read of this one, and how many reads it asked for before it waited.
    const uint8_t* expected = nullptr;
    size_t n_asked = 0;
  };

  void end_last_loop();
  void note_follower(const Loop& loop);
  FirstReads first_reads(const Loop& loop, int worker) const;
  void begin_own_reads(Worker& worker) const;
  void wait_with(const Worker& worker, size_t n_asked) const;
  Memory memory_of(const Worker& worker, size_t read) const;
  FetchAhead next_share(Worker& worker, size_t read) const;
  static int64_t block_bytes(size_t read_bytes);
  void open_stream(const Worker& worker, size_t last, Head& head) const;

  ThreadPool& pool_;
  const Loop* loop_ = nullptr;
  bool waits_ = false;
  const void* last_name_ = nullptr;
  std::vector<Worker> workers_;
  std::unordered_map<const void*, Follower> followers_;  // by the name of the loop before
};

}  // namespace mneme::engine::cpu
