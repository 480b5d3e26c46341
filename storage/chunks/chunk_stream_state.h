// What a chunk stream and its reading threads share: the segments, whose turn it is, and how much is held. Internal to
// chunk_stream*.cpp: chunk_stream_state.cpp has the order of reading, chunk_stream_readers.cpp the threads.
// Ownership: owned by the stream, joins its threads. Threads: what changes is guarded by the mutex.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "base/mutex.h"
#include "storage/chunks/chunk_stream.h"
#include "storage/chunks/uring_reader.h"
#include "storage/env/direct_file.h"

namespace mneme::storage {

using StreamClock = std::chrono::steady_clock;

inline double seconds_between(StreamClock::time_point from, StreamClock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// Room for one segment, aligned for O_DIRECT; `begin` is where the payload starts in it.
struct SegmentBuffer {
  std::vector<std::byte> memory{};
  size_t aligned = 0;     // where the aligned area starts in memory
  size_t read_bytes = 0;  // bytes to read into it
  size_t begin = 0;       // of the payload within the aligned area
  size_t payload_bytes = 0;
  uint64_t file_offset = 0;  // of the aligned area

  MutableByteSpan area() { return MutableByteSpan(memory).subspan(aligned, read_bytes); }
  MutableByteSpan payload() { return area().subspan(begin, payload_bytes); }
};

enum class SegmentState { kQueued, kReading, kReady, kTaken };

struct Segment {
  int chunk = 0;
  int layer = 0;
  size_t form = 0;  // of the chunk's; settled when it is being read
  SegmentState state = SegmentState::kQueued;
  SegmentBuffer buffer{};
  Status status{};
  StreamClock::time_point submitted{};
};

struct ChunkStream::State {
  // A segment that a reader has to itself while it is being read; the vector of them does not grow.
  struct Claim {
    size_t index = 0;
    Segment* segment = nullptr;
  };

  // Indices of what a reader is reading.
  using InFlight = std::vector<size_t>;

  std::vector<ChunkForms> chunks{};
  std::vector<std::vector<DirectFile>> direct_files{};  // as chunks, when reading past the page cache
  ChunkStreamOptions options{};
  ReadMethod method = ReadMethod::kThreads;
  int n_layers = 0;
  std::vector<int64_t> index_of{};  // (layer - first_layer) * n_chunks + chunk -> segment, -1: none
  StreamClock::time_point began = StreamClock::now();

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
  int n_readers MNEME_GUARDED_BY(mutex) = 0;  // that go on
  StreamClock::time_point last_completion MNEME_GUARDED_BY(mutex){};
  std::map<const ThroughputMeter*, StreamClock::time_point> last_of_folder MNEME_GUARDED_BY(mutex){};
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
  std::optional<Claim> claim() MNEME_REQUIRES(mutex);
  // As many as there are and fit; none: at present, or, where it waits for some, for good.
  size_t claim_some(std::span<Claim> claims, bool wait);
  void make_room(Segment& segment) const;
  void complete(size_t index, Status status) MNEME_REQUIRES(mutex);
  void release(Segment& segment) MNEME_REQUIRES(mutex);
  void drop_stale(int layer) MNEME_REQUIRES(mutex);
  Result<bool> take(size_t index, std::vector<std::byte>& out);
  bool wait_for(size_t index) MNEME_REQUIRES(mutex);
  void keep_spare(std::vector<std::byte> memory) MNEME_REQUIRES(mutex);
  size_t form_of(size_t index) {
    MutexLock lock(mutex);
    return segments[index].form;
  }
  Status read_here(Segment& segment);
  void hold_back(size_t bytes);
  // Without rings threads read by themselves.
  void start_readers(std::vector<std::unique_ptr<UringReader>> rings);
  void run_reader(UringReader* ring);
  Status run_thread(InFlight& in_flight);
  Status run_uring(UringReader& ring, InFlight& in_flight);
  size_t submit_some(UringReader& ring, std::span<Claim> claims, InFlight& in_flight);
  void give_up(const InFlight& in_flight);
  Status finish_uring_read(const Segment& segment, const ReadCompletion& done) const;
};

}  // namespace mneme::storage
