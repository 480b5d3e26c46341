#include "storage/chunks/chunk_stream_state.h"

#include <algorithm>
#include <utility>

#include "base/trace.h"

namespace mneme::storage {
namespace {

constexpr size_t kMostSpare = 64;  // buffers kept to be used again

}  // namespace

// The order of reading: all chunks of a layer, then the next layer.
void ChunkStream::State::plan() {
  for (const ChunkForms& chunk : chunks) {
    if (!chunk.empty()) n_layers = std::max(n_layers, chunk.front()->n_layers());
  }
  MutexLock lock(mutex);
  for (int layer = options.first_layer; layer < n_layers; ++layer) {
    for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      const bool has = !chunks[chunk].empty() && layer < chunks[chunk].front()->n_layers();
      index_of.push_back(has ? static_cast<int64_t>(segments.size()) : -1);
      if (!has) continue;
      Segment segment;
      segment.chunk = static_cast<int>(chunk);
      segment.layer = layer;
      segments.push_back(std::move(segment));
    }
  }
}

// The next segment to read, now being read; nothing while the read-ahead is full or all is read.
std::optional<ChunkStream::State::Claim> ChunkStream::State::claim() {
  while (next < segments.size() && segments[next].state != SegmentState::kQueued) ++next;
  if (next >= segments.size()) return std::nullopt;
  Segment& segment = segments[next];
  if (options.choose) {
    const size_t n_forms = chunks[static_cast<size_t>(segment.chunk)].size();
    segment.form = std::min(options.choose(segment.chunk, segment.layer), n_forms - 1);
  }
  const uint64_t bytes = place(segment).size_bytes;
  const bool wanted_now = static_cast<int64_t>(next) <= urgent;
  if (!wanted_now && held_bytes > 0 && held_bytes + bytes > options.read_ahead_bytes) return std::nullopt;
  if (!spare.empty()) {
    segment.buffer.memory = std::move(spare.back());
    spare.pop_back();
  }
  segment.state = SegmentState::kReading;
  segment.submitted = StreamClock::now();
  held_bytes += bytes;
  return Claim{next++, &segment};
}

size_t ChunkStream::State::claim_some(std::span<Claim> claims, bool wait) {
  MutexLock lock(mutex);
  size_t n = 0;
  while (!stop) {
    while (n < claims.size()) {
      const std::optional<Claim> claimed = claim();
      if (!claimed) break;
      claims[n++] = *claimed;
    }
    if (n > 0 || !wait || next >= segments.size()) break;
    room.wait(mutex);
  }
  return n;
}

// Memory for what is to be read. Pages that are touched for the first time take as long as reading into them, so not
// while others wait for the mutex.
void ChunkStream::State::make_room(Segment& segment) const {
  const LayerSegment& at = place(segment);
  SegmentBuffer& buffer = segment.buffer;
  buffer.aligned = buffer.begin = 0;
  buffer.file_offset = at.offset;
  buffer.read_bytes = buffer.payload_bytes = at.size_bytes;
  if (!direct()) return buffer.memory.resize(at.size_bytes);
  buffer.file_offset = at.offset / kDirectAlignment * kDirectAlignment;
  buffer.begin = at.offset - buffer.file_offset;
  const uint64_t end = at.offset + at.size_bytes;
  buffer.read_bytes = (end + kDirectAlignment - 1) / kDirectAlignment * kDirectAlignment - buffer.file_offset;
  buffer.memory.resize(buffer.read_bytes + kDirectAlignment);
  const auto address = reinterpret_cast<uintptr_t>(buffer.memory.data());
  buffer.aligned = (kDirectAlignment - address % kDirectAlignment) % kDirectAlignment;
}

void ChunkStream::State::complete(size_t index, Status status) {
  Segment& segment = segments[index];
  const auto now = StreamClock::now();
  const uint64_t bytes = place(segment).size_bytes;
  if (status.ok()) {
    // Reads overlap: a segment's time counts from when the one before it had come.
    ThroughputMeter* const folder = file_of(segment).throughput();
    if (folder != nullptr)
      folder->add(bytes, seconds_between(std::max(segment.submitted, last_of_folder[folder]), now));
    last_of_folder[folder] = now;
    const auto from = std::max(segment.submitted, last_completion);
    if (options.meter != nullptr) options.meter->add(bytes, seconds_between(from, now));
    stats.bytes_read += bytes;
    ++stats.segments;
  }
  last_completion = now;
  segment.status = std::move(status);
  segment.state = SegmentState::kReady;
  ready.notify_all();
}

void ChunkStream::State::keep_spare(std::vector<std::byte> memory) {
  if (memory.capacity() > 0 && spare.size() < kMostSpare) spare.push_back(std::move(memory));
}

void ChunkStream::State::release(Segment& segment) {
  held_bytes -= place(segment).size_bytes;
  keep_spare(std::move(segment.buffer.memory));
  segment.buffer = {};
  segment.state = SegmentState::kTaken;
  room.notify_all();
}

// Whoever waits for layer l will not come back for what is two layers behind: it must not fill the read-ahead. Who need
// not wait may be one of several that take layers which are all there, in no order.
void ChunkStream::State::drop_stale(int layer) {
  while (stale_before < segments.size() && segments[stale_before].layer < layer - 1) {
    Segment& segment = segments[stale_before];
    if (segment.state == SegmentState::kReading) break;
    if (segment.state == SegmentState::kReady) release(segment);
    if (segment.state == SegmentState::kQueued) segment.state = SegmentState::kTaken;
    ++stale_before;
  }
  ready.notify_all();  // whoever waits for a dropped one reads it alone
}

// A reader cannot go on, since its ring broke or it has no memory: whoever fetches what it was reading reads it
// himself, and after the last reader everything. The memory stays, for what is still in flight.
void ChunkStream::State::give_up(const InFlight& in_flight) {
  MutexLock lock(mutex);
  for (const size_t index : in_flight) {
    if (segments[index].state != SegmentState::kReading) continue;
    held_bytes -= place(segments[index]).size_bytes;
    segments[index].state = SegmentState::kTaken;
  }
  if (--n_readers == 0) {
    stop = true;
    for (Segment& segment : segments)
      if (segment.state == SegmentState::kQueued) segment.state = SegmentState::kTaken;
  }
  ready.notify_all();
  room.notify_all();
}

// Waits for a segment to be ready or taken; whether it is ready.
bool ChunkStream::State::wait_for(size_t index) {
  Segment& segment = segments[index];
  if (segment.state == SegmentState::kQueued || segment.state == SegmentState::kReading) {
    drop_stale(segment.layer);
    const trace::Span span("wait", "kv", segment.layer);
    const auto from = StreamClock::now();
    urgent = std::max(urgent, static_cast<int64_t>(index));
    room.notify_all();
    while (segment.state == SegmentState::kQueued || segment.state == SegmentState::kReading) ready.wait(mutex);
    stats.wait_seconds += seconds_between(from, StreamClock::now());
    ++stats.waits;
  }
  return segment.state == SegmentState::kReady;
}

// Moves a segment's payload into `out`; false when it is no longer here. Memory goes back before there is room for more
// reads, which then need not touch new pages.
Result<bool> ChunkStream::State::take(size_t index, std::vector<std::byte>& out) {
  SegmentBuffer aligned;
  {
    MutexLock lock(mutex);
    if (!wait_for(index)) return false;
    Segment& segment = segments[index];
    Status status = segment.status;
    if (!direct() && status.ok()) std::swap(out, segment.buffer.memory);
    if (!direct() || !status.ok()) {
      release(segment);
      return status.ok() ? Result<bool>(true) : status;
    }
    aligned = std::exchange(segment.buffer, {});
    segment.state = SegmentState::kTaken;
  }
  const MutableByteSpan payload = aligned.payload();
  out.assign(payload.begin(), payload.end());
  MutexLock lock(mutex);
  segments[index].buffer = std::move(aligned);
  release(segments[index]);
  return true;
}

}  // namespace mneme::storage
