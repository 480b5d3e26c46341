#include "engine/backend/cpu/read_chain.h"

#include <algorithm>
#include <cassert>

namespace mneme::engine::cpu {
namespace {

// What a thread may fetch of the next loop's reads while it waits: what passes by in some microseconds, so that the
// second-level cache keeps room.
constexpr size_t kWaitingBytes = 256 << 10;
constexpr size_t kStreamBytes = 1 << 20;  // reads that are put into one stream, about

// To be asked for without regard to anything else.
FetchAhead whole(std::span<const uint8_t> memory) {
  return {memory.data(), static_cast<int64_t>(memory.size())};
}

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

FetchAhead ReadChain::ask(int index, size_t task, size_t read) {
  Worker& worker = workers_[static_cast<size_t>(index)];
  if (read < worker.begin || read >= worker.end) {
    // It helps another thread, from the end of that one's part.
    if (read + 1 < loop_->first_read(task + 1)) return whole(loop_->read_at(read + 1));
    return task > 0 ? whole(loop_->read_at(loop_->first_read(task - 1))) : FetchAhead();
  }
  if (!worker.has_begun) begin_own_reads(worker);
  const FetchAhead share = next_share(worker, read);
  if (read + 1 == worker.end) {
    worker.has_ended = true;
    wait_with(worker, 1);
  }
  return share;
}

ReadChain::Memory ReadChain::after(int index, size_t read) {
  Worker& worker = workers_[static_cast<size_t>(index)];
  if (read < worker.begin || read >= worker.end) return {};  // it helps another thread
  if (!worker.has_begun) {
    worker.has_begun = true;
    wait_with(worker, 0);
  }
  return memory_of(worker, read + 1);
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
    worker.heads[run] = {.next = read, .first = read, .read = {}, .stream = {}};
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
// of each run during the reads of the other. So when every read begins, it has been asked for: an even share of all
// that is left, or more where the next read lies in a block that the even share would not cover.
FetchAhead ReadChain::next_share(Worker& worker, size_t read) const {
  const size_t two_runs = loop_->n_runs > 1 ? 1 : 0;  // as a shift or a mask
  const size_t run = (read + 1 - worker.begin) & two_runs;
  const size_t last = worker.end - run;
  Head& head = worker.heads[run];
  if (head.next <= read) head = {.next = read + 1, .first = read + 1, .read = {}, .stream = {}};
  if (head.stream.done()) {
    if (head.next > last) return {};
    open_stream(worker, last, head);
  }
  const size_t n_later = head.next <= last ? ((last - head.next) >> two_runs) + 1 : 0;
  const auto read_bytes = static_cast<int64_t>(head.read.size());
  const int64_t n_left = head.stream.n_lines_left() + static_cast<int64_t>(n_later) * (read_bytes / FetchAhead::kLine);
  const auto n_calls = static_cast<int64_t>((worker.end - 1 - read) >> two_runs) + 1;
  int64_t n_lines = (n_left + n_calls - 1) / n_calls;
  if (read + 1 >= head.first) {
    const auto n_reads = static_cast<int64_t>((read + 1 - head.first) >> two_runs) + 1;
    const auto* const begin = reinterpret_cast<const char*>(head.read.data());
    n_lines = std::max(n_lines, head.stream.n_lines_until(begin + n_reads * read_bytes));
  }
  return head.stream.share(n_lines);
}

// Whole reads, where their length allows it.
int64_t ReadChain::block_bytes(size_t read_bytes) {
  const size_t n_reads = read_bytes > 0 ? (kBlockBytes + read_bytes - 1) / read_bytes : 1;
  const auto step = static_cast<size_t>(FetchAhead::kBlockStep);
  return static_cast<int64_t>((n_reads * read_bytes + step - 1) / step * step);
}

// Takes up the reads from head.next on that lie one behind the other.
void ReadChain::open_stream(const Worker& worker, size_t last, Head& head) const {
  head.first = head.next;
  head.read = memory_of(worker, head.first);
  size_t n_bytes = head.read.size();
  for (head.next += loop_->n_runs; head.next <= last && n_bytes > 0 && n_bytes < kStreamBytes;
       head.next += loop_->n_runs) {
    const Memory memory = memory_of(worker, head.next);
    if (memory.data() != head.read.data() + n_bytes || memory.size() != head.read.size()) break;
    n_bytes += memory.size();
  }
  head.stream = FetchAhead(head.read.data(), static_cast<int64_t>(n_bytes), block_bytes(head.read.size()));
}

}  // namespace mneme::engine::cpu
