// The threads of a chunk stream: one that feeds an io_uring, or several that read by themselves.
#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/guarded.h"
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

// What is done of a ring's reads; waits for one where `wait` is set.
Result<std::optional<ReadCompletion>> next_of(UringReader& ring, bool wait) {
  if (ring.in_flight() == 0) return std::optional<ReadCompletion>();
  if (!wait) return ring.poll();
  MNEME_ASSIGN_OR_RETURN(const ReadCompletion done, ring.wait());
  return std::optional(done);
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

Status ChunkStream::State::run_thread(InFlight& in_flight) {
  Claim claimed;
  while (claim_some(std::span(&claimed, 1), true) > 0) {
    in_flight.push_back(claimed.index);
    make_room(*claimed.segment);
    Status status = read_here(*claimed.segment);
    if (options.bandwidth && status.ok()) hold_back(claimed.segment->buffer.read_bytes);
    {
      MutexLock lock(mutex);
      complete(claimed.index, std::move(status));
    }
    in_flight.clear();
  }
  return {};
}

Status ChunkStream::State::finish_uring_read(const Segment& segment, const ReadCompletion& done) const {
  const std::string& path = file_of(segment).path();
  if (done.result < 0) return errno_error("read", path, static_cast<int>(-done.result));
  if (static_cast<uint64_t>(done.result) >= segment.buffer.begin + place(segment).size_bytes) return {};
  return corruption(path + " ends before the data it should hold");
}

// As many as there is room for here and in the ring; how many.
size_t ChunkStream::State::submit_some(UringReader& ring, std::span<Claim> claims, InFlight& in_flight) {
  const auto room_in_ring = static_cast<size_t>(options.queue_depth - ring.in_flight());
  const std::span<Claim> wanted = claims.first(std::min(claims.size(), room_in_ring));
  const size_t n = claim_some(wanted, in_flight.empty());
  for (const Claim& claimed : wanted.first(n)) in_flight.push_back(claimed.index);
  for (const Claim& claimed : wanted.first(n)) {
    Segment& segment = *claimed.segment;
    make_room(segment);
    const int descriptor = direct() ? direct_file_of(segment).descriptor() : file_of(segment).file().descriptor();
    ring.add(descriptor, segment.buffer.file_offset, segment.buffer.area(), claimed.index);
  }
  return n;
}

// What lies in the page cache is read while it is submitted: some at a time, all given out before more are. A disk is
// kept busy with as many as there may be, and another for each that is done; now and then it is asked whether what
// comes lies in the cache by now.
Status ChunkStream::State::run_uring(UringReader& ring, InFlight& in_flight) {
  constexpr size_t kFromCache = 4;
  constexpr size_t kAskAgain = 64;
  std::vector<Claim> claims(static_cast<size_t>(options.queue_depth));
  bool from_cache = true;
  for (size_t n_waits = 0; true;) {
    const size_t most = from_cache ? std::min(kFromCache, claims.size()) : claims.size();
    const size_t n_submitted = submit_some(ring, std::span(claims).first(most), in_flight);
    if (in_flight.empty()) return {};
    const trace::Span span("read", "kv");
    const bool waits = !from_cache || n_submitted == 0;
    MNEME_ASSIGN_OR_RETURN(std::optional<ReadCompletion> done, next_of(ring, waits));
    from_cache &= done.has_value();
    while (done) {
      {
        MutexLock lock(mutex);
        complete(done->tag, finish_uring_read(segments[done->tag], *done));
      }
      std::erase(in_flight, done->tag);
      if (!from_cache) break;
      MNEME_ASSIGN_OR_RETURN(done, next_of(ring, false));
    }
    if (waits && ++n_waits % kAskAgain == 0) from_cache = true;
  }
}

void ChunkStream::State::start_readers(std::vector<std::unique_ptr<UringReader>> rings) {
  method = rings.empty() ? ReadMethod::kThreads : ReadMethod::kUring;
  const auto n = rings.empty() ? static_cast<size_t>(options.bandwidth ? 1 : options.n_threads) : rings.size();
  rings.resize(n);
  {
    MutexLock lock(mutex);
    n_readers = static_cast<int>(n);
  }
  // A thread's ring ends with it, once nothing is in flight.
  for (std::unique_ptr<UringReader>& ring : rings)
    threads.emplace_back([this, own = std::move(ring)] { run_reader(own.get()); });
}

void ChunkStream::State::run_reader(UringReader* ring) {
  trace::name_thread("kv reader");
  InFlight in_flight;
  const Status status = guarded("reading KV caches", [&] {
    in_flight.reserve(static_cast<size_t>(options.queue_depth));
    return ring != nullptr ? run_uring(*ring, in_flight) : run_thread(in_flight);
  });
  if (!status.ok()) give_up(in_flight);
}

}  // namespace mneme::storage
