#include "storage/chunks/chunk_stream.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <thread>

#include "base/guarded.h"
#include "base/mutex.h"
#include "base/trace.h"
#include "storage/chunks/uring_reader.h"
#include "storage/env/direct_file.h"

namespace mneme::storage {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// Room for one segment, aligned for O_DIRECT; `begin` is where the payload starts in it.
struct SegmentBuffer {
  std::vector<std::byte> memory{};
  size_t aligned = 0;        // where the aligned area starts in memory
  size_t read_bytes = 0;     // bytes to read into it
  size_t begin = 0;          // of the payload within the aligned area
  uint64_t file_offset = 0;  // of the aligned area

  MutableByteSpan area() { return MutableByteSpan(memory).subspan(aligned, read_bytes); }
};

enum class SegmentState { kQueued, kReading, kReady, kTaken };

struct Segment {
  int chunk = 0;
  int layer = 0;
  size_t form = 0;  // of the chunk's; settled when it is being read
  SegmentState state = SegmentState::kQueued;
  SegmentBuffer buffer{};
  Status status{};
  Clock::time_point submitted{};
};

SegmentBuffer make_buffer(const LayerSegment& segment, bool direct, std::vector<std::byte> memory) {
  SegmentBuffer buffer;
  buffer.memory = std::move(memory);
  if (!direct) {
    buffer.memory.resize(segment.size_bytes);
    buffer.read_bytes = segment.size_bytes;
    buffer.file_offset = segment.offset;
    return buffer;
  }
  buffer.file_offset = segment.offset / kDirectAlignment * kDirectAlignment;
  buffer.begin = segment.offset - buffer.file_offset;
  const uint64_t end = segment.offset + segment.size_bytes;
  buffer.read_bytes = (end + kDirectAlignment - 1) / kDirectAlignment * kDirectAlignment - buffer.file_offset;
  buffer.memory.resize(buffer.read_bytes + kDirectAlignment);
  const auto address = reinterpret_cast<uintptr_t>(buffer.memory.data());
  buffer.aligned = (kDirectAlignment - address % kDirectAlignment) % kDirectAlignment;
  return buffer;
}

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

struct ChunkStream::State {
  std::vector<ChunkForms> chunks{};
  std::vector<std::vector<DirectFile>> direct_files{};  // as chunks, when reading past the page cache
  ChunkStreamOptions options{};
  ReadMethod method = ReadMethod::kThreads;
  int n_layers = 0;
  std::vector<int64_t> index_of{};  // (layer - first_layer) * n_chunks + chunk -> segment, -1: none
  Clock::time_point began = Clock::now();

  mutable Mutex mutex;
  CondVar ready;  // a segment became ready
  CondVar room;   // the readers may go on
  std::vector<Segment> segments MNEME_GUARDED_BY(mutex){};
  size_t next MNEME_GUARDED_BY(mutex) = 0;          // to be submitted
  uint64_t held_bytes MNEME_GUARDED_BY(mutex) = 0;  // being read or waiting to be fetched
  int64_t urgent MNEME_GUARDED_BY(mutex) = -1;      // somebody waits for this one: the limit does not count before it
  size_t stale_before MNEME_GUARDED_BY(mutex) = 0;  // segments before this were dropped or taken
  std::vector<std::vector<std::byte>> spare MNEME_GUARDED_BY(mutex){};  // memory to be used again
  bool stop MNEME_GUARDED_BY(mutex) = false;
  Clock::time_point last_completion MNEME_GUARDED_BY(mutex){};
  std::map<const ThroughputMeter*, Clock::time_point> last_of_folder MNEME_GUARDED_BY(mutex){};
  double link_free MNEME_GUARDED_BY(mutex) = 0;
  ChunkStreamStats stats MNEME_GUARDED_BY(mutex){};
  std::vector<std::thread> threads{};

  ~State() {
    {
      MutexLock lock(mutex);
      stop = true;
      room.notify_all();
    }
    for (std::thread& thread : threads) thread.join();
  }

  const LayerSegment& place(const Segment& segment) const {
    return file_of(segment).header().layers[static_cast<size_t>(segment.layer)];
  }
  const StoredChunk& file_of(const Segment& segment) const {
    return *chunks[static_cast<size_t>(segment.chunk)][segment.form];
  }
  // What reads a segment past the page cache.
  const DirectFile& direct_file_of(const Segment& segment) const {
    return direct_files[static_cast<size_t>(segment.chunk)][segment.form];
  }
  bool direct() const { return !direct_files.empty(); }

  void plan();
  std::optional<size_t> claim() MNEME_REQUIRES(mutex);
  void complete(size_t index, Status status) MNEME_REQUIRES(mutex);
  void release(Segment& segment) MNEME_REQUIRES(mutex);
  void drop_stale(int layer) MNEME_REQUIRES(mutex);
  Result<bool> take(size_t index, std::vector<std::byte>& out);
  size_t form_of(size_t index) {
    MutexLock lock(mutex);
    return segments[index].form;
  }
  Status read_here(Segment& segment);
  void hold_back(size_t bytes);
  void run_thread();
  void give_up();
  void run_uring(UringReader& ring);
  Status finish_uring_read(const Segment& segment, const ReadCompletion& done) const;
};

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
std::optional<size_t> ChunkStream::State::claim() {
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
  std::vector<std::byte> memory;
  if (!spare.empty()) {
    memory = std::move(spare.back());
    spare.pop_back();
  }
  segment.buffer = make_buffer(place(segment), direct(), std::move(memory));
  segment.state = SegmentState::kReading;
  segment.submitted = Clock::now();
  held_bytes += bytes;
  return next++;
}

void ChunkStream::State::complete(size_t index, Status status) {
  Segment& segment = segments[index];
  const auto now = Clock::now();
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

void ChunkStream::State::release(Segment& segment) {
  held_bytes -= place(segment).size_bytes;
  if (!segment.buffer.memory.empty() && spare.size() < 32) spare.push_back(std::move(segment.buffer.memory));
  segment.buffer = {};
  segment.state = SegmentState::kTaken;
  room.notify_all();
}

// Whoever fetches layer l will not come back for what is two layers behind: it must not fill the read-ahead.
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
  const double now = seconds_between(began, Clock::now());
  link_free = link_finish(options.bandwidth, std::max(now, link_free), static_cast<double>(bytes));
  const auto until = began + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(link_free));
  while (!stop && Clock::now() < until) room.wait_for(mutex, until - Clock::now());
}

// A reader had no memory to go on with: whoever fetches reads by itself.
void ChunkStream::State::give_up() {
  MutexLock lock(mutex);
  stop = true;
  for (Segment& segment : segments) {
    const bool waiting = segment.state == SegmentState::kQueued || segment.state == SegmentState::kReading;
    if (waiting) segment.state = SegmentState::kTaken;
  }
  ready.notify_all();
  room.notify_all();
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

// Waits for a segment and moves its payload into `out`; false when it is no longer here.
Result<bool> ChunkStream::State::take(size_t index, std::vector<std::byte>& out) {
  MutexLock lock(mutex);
  Segment& segment = segments[index];
  drop_stale(segment.layer);
  if (segment.state == SegmentState::kQueued || segment.state == SegmentState::kReading) {
    const trace::Span span("wait", "kv", segment.layer);
    const auto from = Clock::now();
    urgent = std::max(urgent, static_cast<int64_t>(index));
    room.notify_all();
    while (segment.state == SegmentState::kQueued || segment.state == SegmentState::kReading) ready.wait(mutex);
    stats.wait_seconds += seconds_between(from, Clock::now());
    ++stats.waits;
  }
  if (segment.state == SegmentState::kTaken) return false;
  Status status = segment.status;
  if (status.ok() && !direct()) {
    std::swap(out, segment.buffer.memory);
  } else if (status.ok()) {
    const auto payload = segment.buffer.area().subspan(segment.buffer.begin, place(segment).size_bytes);
    out.assign(payload.begin(), payload.end());
  }
  release(segment);
  if (!status.ok()) return status;
  return true;
}

ChunkStream::ChunkStream(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<ChunkStream>> ChunkStream::start(std::vector<std::shared_ptr<const StoredChunk>> chunks,
                                                        const ChunkStreamOptions& options) {
  std::vector<ChunkForms> forms;
  for (std::shared_ptr<const StoredChunk>& chunk : chunks) {
    forms.push_back(chunk ? ChunkForms{std::move(chunk)} : ChunkForms{});
  }
  return start(std::move(forms), options);
}

Result<std::unique_ptr<ChunkStream>> ChunkStream::start(std::vector<ChunkForms> chunks,
                                                        const ChunkStreamOptions& options) {
  if (options.first_layer < 0 || options.n_threads < 1 || options.queue_depth < 1) {
    return usage_error("a chunk stream needs a first layer, threads and a queue");
  }
  auto state = std::make_unique<State>();
  state->chunks = std::move(chunks);
  state->options = options;
  bool descriptors = true;
  for (const ChunkForms& chunk : state->chunks) {
    if (options.direct_io) state->direct_files.emplace_back();
    for (const auto& form : chunk) {
      if (form->n_layers() != chunk.front()->n_layers()) return usage_error("forms of a chunk differ in their layers");
      descriptors &= form->file().descriptor() >= 0;
      if (!options.direct_io) continue;
      MNEME_ASSIGN_OR_RETURN(DirectFile reopened, DirectFile::reopen(form->file()));
      state->direct_files.back().push_back(std::move(reopened));
    }
  }
  state->plan();
  State* shared = state.get();
  // A simulated link passes one segment after the other.
  if (options.method != ReadMethod::kThreads && descriptors && !options.bandwidth) {
    Result<std::unique_ptr<UringReader>> ring = UringReader::make(options.queue_depth);
    if (ring.ok()) {
      state->method = ReadMethod::kUring;
      state->threads.emplace_back([shared, ring = std::move(ring).value()] {
        if (!guarded("reading KV caches", [&] { return shared->run_uring(*ring), Status(); }).ok()) shared->give_up();
      });
      return std::unique_ptr<ChunkStream>(new ChunkStream(std::move(state)));
    }
    if (options.method == ReadMethod::kUring) return ring.status();
  }
  const int n_threads = options.bandwidth ? 1 : options.n_threads;
  for (int i = 0; i < n_threads; ++i) {
    state->threads.emplace_back([shared] {
      if (!guarded("reading KV caches", [&] { return shared->run_thread(), Status(); }).ok()) shared->give_up();
    });
  }
  return std::unique_ptr<ChunkStream>(new ChunkStream(std::move(state)));
}

ChunkStream::~ChunkStream() = default;

Status ChunkStream::fetch(int chunk, int layer, std::vector<std::byte>& out, size_t* form) {
  State& state = *state_;
  if (form != nullptr) *form = 0;
  const auto n_chunks = static_cast<int>(state.chunks.size());
  if (chunk < 0 || chunk >= n_chunks || state.chunks[static_cast<size_t>(chunk)].empty()) {
    return usage_error("chunk " + std::to_string(chunk) + " is not in the stream");
  }
  const ChunkForms& forms = state.chunks[static_cast<size_t>(chunk)];
  if (layer < state.options.first_layer || layer >= forms.front()->n_layers()) {
    return forms.front()->read_layer(layer, out);
  }
  const auto index =
      static_cast<size_t>(state.index_of[static_cast<size_t>((layer - state.options.first_layer) * n_chunks + chunk)]);
  const Result<bool> taken = state.take(index, out);
  const size_t taken_from = state.form_of(index);
  if (form != nullptr) *form = taken_from;
  if (!taken.ok()) return taken.status();
  const StoredChunk& stored = *forms[taken_from];
  if (!*taken) return stored.read_layer(layer, out);  // fetched before, or dropped
  return check_layer(stored.header(), layer, out, stored.path());
}

bool ChunkStream::ready(int chunk, int layer) const {
  const int64_t n_chunks = static_cast<int64_t>(state_->chunks.size());
  const int64_t at = (layer - state_->options.first_layer) * n_chunks + chunk;
  if (chunk < 0 || chunk >= n_chunks || at < 0 || at >= static_cast<int64_t>(state_->index_of.size())) return false;
  const int64_t index = state_->index_of[static_cast<size_t>(at)];
  if (index < 0) return false;
  MutexLock lock(state_->mutex);
  return state_->segments[static_cast<size_t>(index)].state == SegmentState::kReady;
}

ChunkStreamStats ChunkStream::stats() const {
  MutexLock lock(state_->mutex);
  return state_->stats;
}

ReadMethod ChunkStream::method() const {
  return state_->method;
}

}  // namespace mneme::storage
