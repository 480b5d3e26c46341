// The threads of a chunk stream: one that feeds an io_uring, or several that read by themselves.
#include <algorithm>
#include <string>
#include <utility>

#include "base/trace.h"
#include "storage/chunks/chunk_stream_state.h"

namespace mneme::storage {
namespace {

// When a link of varying bandwidth that is free at `start` has passed on `bytes` (seconds since the stream began).
double link_finish(const std::function<double(double)>& bandwidth, double start, double bytes) {
  constexpr double kStep = 0.001;
  double time = start;
  while (bytes > 0) {
    const double rate = std::max(bandwidth(time), 1.0);
    if (rate * kStep >= bytes) return time + bytes / rate;
    bytes -= rate * kStep;
    time += kStep;
  }
  return time;
}

}  // namespace

Status ChunkStream::State::read_here(Segment& segment) {
  const trace::Span span("read", "kv", segment.layer);
  const StoredChunk& file = file_of(segment);
  SegmentBuffer& buffer = segment.buffer;
  if (!direct()) return file.file().read_at(buffer.file_offset, buffer.area());
  MNEME_ASSIGN_OR_RETURN(const uint64_t got, direct_file_of(segment).read_at(buffer.file_offset, buffer.area()));
  if (got >= buffer.begin + place(segment).size_bytes) return {};
  return corruption(file.path() + " ends before the data it should hold");
}

// Waits until the simulated link would have passed these bytes on.
void ChunkStream::State::hold_back(size_t bytes) {
  MutexLock lock(mutex);
  const double now = seconds_between(began, StreamClock::now());
  link_free = link_finish(options.bandwidth, std::max(now, link_free), static_cast<double>(bytes));
  const auto until =
      began + std::chrono::duration_cast<StreamClock::duration>(std::chrono::duration<double>(link_free));
  while (!stop && StreamClock::now() < until) room.wait_for(mutex, until - StreamClock::now());
}

void ChunkStream::State::run_thread() {
  trace::name_thread("kv reader");
  while (true) {
    Segment* segment = nullptr;
    size_t index = 0;
    {
      MutexLock lock(mutex);
      std::optional<size_t> claimed;
      while (!stop && !(claimed = claim())) {
        if (next >= segments.size()) return;
        room.wait(mutex);
      }
      if (stop) return;
      index = *claimed;
      // Nobody else touches a segment that is being read, and the vector does not grow.
      segment = &segments[index];
    }
    Status status = read_here(*segment);
    if (options.bandwidth && status.ok()) hold_back(segment->buffer.read_bytes);
    MutexLock lock(mutex);
    complete(index, std::move(status));
  }
}

Status ChunkStream::State::finish_uring_read(const Segment& segment, const ReadCompletion& done) const {
  const std::string& path = file_of(segment).path();
  if (done.result < 0) return errno_error("read", path, static_cast<int>(-done.result));
  if (static_cast<uint64_t>(done.result) >= segment.buffer.begin + place(segment).size_bytes) return {};
  return corruption(path + " ends before the data it should hold");
}

void ChunkStream::State::run_uring(UringReader& ring) {
  trace::name_thread("kv reader");
  while (true) {
    {
      MutexLock lock(mutex);
      while (!stop && !ring.full()) {
        const std::optional<size_t> index = claim();
        if (!index) break;
        Segment& segment = segments[*index];
        const int descriptor = direct() ? direct_file_of(segment).descriptor() : file_of(segment).file().descriptor();
        ring.add(descriptor, segment.buffer.file_offset, segment.buffer.area(), *index);
      }
      if (ring.in_flight() == 0) {
        if (stop || next >= segments.size()) return;
        room.wait(mutex);
        continue;
      }
    }
    const trace::Span span("read", "kv");
    const Result<ReadCompletion> done = ring.wait();
    MutexLock lock(mutex);
    if (!done.ok()) {
      // The ring itself broke: what it held fails (and is recomputed), the rest is read by whoever fetches it.
      for (size_t i = 0; i < segments.size(); ++i) {
        if (segments[i].state == SegmentState::kReading) complete(i, done.status());
        if (segments[i].state == SegmentState::kQueued) segments[i].state = SegmentState::kTaken;
      }
      ready.notify_all();
      return;
    }
    complete(done->tag, finish_uring_read(segments[done->tag], *done));
    if (stop && ring.in_flight() == 0) return;
  }
}

}  // namespace mneme::storage
