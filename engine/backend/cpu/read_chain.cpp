#include "engine/backend/cpu/read_chain.h"

#include <algorithm>
#include <cassert>

namespace mneme::engine::cpu {
namespace {

// What a thread may fetch of the next loop's reads while it waits: what passes by in some microseconds, so that the
// second-level cache keeps room.
constexpr size_t kWaitingBytes = 256 << 10;
constexpr size_t kLine = 64;

}  // namespace

void ReadChain::begin(const Loop& loop, bool waits) {
  assert(loop.n_runs == 1 || loop.n_runs == 2);
  end_last_loop();  // before its idea of this one is replaced
  note_follower(loop);
  loop_ = &loop;
  waits_ = waits;
  last_name_ = loop.name;
  const auto found = followers_.find(loop.name);
  for (int i = 0; i < pool_.n_threads(); ++i) {
    Worker& worker = workers_[static_cast<size_t>(i)];
    worker.begin = loop.first_read(pool_.part_begin(loop.n_tasks, i));
    worker.end = loop.first_read(pool_.part_begin(loop.n_tasks, i + 1));
    if (found != followers_.end()) worker.after = found->second.reads[static_cast<size_t>(i)].all();
  }
}

void ReadChain::end_last_loop() {
  for (Worker& worker : workers_) {
    // A worker that others left nothing of its part to do has asked for nothing.
    worker.expected = worker.has_begun && !worker.after.empty() ? worker.after[0].data() : nullptr;
    worker.n_asked = worker.has_ended ? 1 : 0;
    worker.has_begun = worker.has_ended = false;
    worker.after = {};
  }
}

void ReadChain::note_follower(const Loop& loop) {
  const size_t n_reads = loop.first_read(loop.n_tasks);
  if (!last_name_ || n_reads == 0) return;
  Follower& follower = followers_[last_name_];
  const uint8_t* const first = loop.read_at(0).data();
  if (follower.name == loop.name && follower.n_reads == n_reads && follower.first == first) return;
  follower.name = loop.name;
  follower.n_reads = n_reads;
  follower.first = first;
  follower.reads.clear();
  for (int worker = 0; worker < pool_.n_threads(); ++worker) follower.reads.push_back(first_reads(loop, worker));
}

ReadChain::FirstReads ReadChain::first_reads(const Loop& loop, int worker) const {
  FirstReads first;
  const size_t end = loop.first_read(pool_.part_begin(loop.n_tasks, worker + 1));
  size_t n_bytes = 0;
  for (size_t i = loop.first_read(pool_.part_begin(loop.n_tasks, worker)); i < end; ++i) {
    if (n_bytes >= kWaitingBytes || first.count == first.reads.size()) break;
    first.reads[first.count] = loop.read_at(i);
    n_bytes += first.reads[first.count++].size();
  }
  return first;
}

ReadChain::Memory ReadChain::ask(int index, size_t task, size_t read) {
  Worker& worker = workers_[static_cast<size_t>(index)];
  if (read < worker.begin || read >= worker.end) {
    // It helps another thread, from the end of that one's part.
    if (read + 1 < loop_->first_read(task + 1)) return loop_->read_at(read + 1);
    return task > 0 ? loop_->read_at(loop_->first_read(task - 1)) : Memory();
  }
  if (!worker.has_begun) begin_own_reads(worker);
  const Memory share = next_share(worker, read);
  if (read + 1 == worker.end) {
    worker.has_ended = true;
    wait_with(worker, 1);
  }
  return share;
}

// What it fetched while it waited need not be asked for again.
void ReadChain::begin_own_reads(Worker& worker) const {
  worker.has_begun = true;
  size_t n_done = 0;
  if (worker.expected && worker.expected == loop_->read_at(worker.begin).data())
    n_done = worker.n_asked + ThreadPool::n_read_while_waiting();
  for (size_t run = 0; run < loop_->n_runs; ++run) {
    size_t read = worker.begin + n_done;
    if ((read - worker.begin) % loop_->n_runs != run) ++read;
    worker.heads[run] = {read, 0};
  }
  wait_with(worker, 0);
}

// Where the part ends early because others have helped, none of the next loop has been asked for.
void ReadChain::wait_with(const Worker& worker, size_t n_asked) const {
  ThreadPool::read_while_waiting(waits_ && worker.after.size() > n_asked ? worker.after.subspan(n_asked)
                                                                         : std::span<const Memory>());
}

ReadChain::Memory ReadChain::memory_of(const Worker& worker, size_t read) const {
  if (read < worker.end) return loop_->read_at(read);
  return worker.after.empty() ? Memory() : worker.after[0];
}

// With one run, the memory of reads `read + 1` to `end` is asked for during reads `read` to `end - 1`; with two, that
// of each run during the reads of the other. So when every read begins, it has been asked for.
ReadChain::Memory ReadChain::next_share(Worker& worker, size_t read) const {
  const size_t n_runs = loop_->n_runs;
  const size_t run = (read + 1 - worker.begin) % n_runs;
  Head& head = worker.heads[run];
  if (head.read <= read) head = {read + 1, 0};
  const size_t last = worker.end - run;
  if (head.read > last) return {};
  const Memory memory = memory_of(worker, head.read);
  const size_t n_left = ((last - head.read) / n_runs + 1) * memory.size() - head.offset;
  const size_t n_calls = (worker.end - 1 - read) / n_runs + 1;
  const size_t share = std::min(memory.size(), (n_left + n_calls - 1) / n_calls + kLine - 1) / kLine * kLine;
  const uint8_t* const begin = memory.data() + head.offset;
  if (head.offset + share < memory.size()) {
    head.offset += share;
    return {begin, share};
  }
  // On into the next read where it lies behind this one.
  const size_t n_here = memory.size() - head.offset;
  head = {head.read + n_runs, 0};
  if (head.read > last || n_here >= share || memory_of(worker, head.read).data() != begin + n_here)
    return {begin, n_here};
  head.offset = share - n_here;
  return {begin, share};
}

}  // namespace mneme::engine::cpu
