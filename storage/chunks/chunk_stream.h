// Reads the layers of several chunks ahead of whoever consumes them: layer l+1 of all chunks comes in while layer l is
// used. Threads submit batches through io_uring (pread threads where the kernel has none), never more than
// read_ahead_bytes beyond what was fetched. One of them keeps a disk busy; out of the page cache, where a read is a
// copy by the thread that submits it, several are faster. Ownership: a stream keeps its chunks open. Threads: fetch()
// may be called from several threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/status.h"
#include "storage/chunks/chunk_store.h"
#include "storage/chunks/throughput_meter.h"

namespace mneme::storage {

enum class ReadMethod { kAuto, kUring, kThreads };

// The files a chunk may be read from: each holds all of its layers, in a form of its own. Empty: nothing to read (it is
// to be recomputed).
using ChunkForms = std::vector<std::shared_ptr<const StoredChunk>>;

struct ChunkStreamOptions {
  int first_layer = 0;
  uint64_t read_ahead_bytes = 64u << 20;
  ReadMethod method = ReadMethod::kAuto;
  int n_threads = 4;                 // for kThreads
  int n_rings = 1;                   // for kUring: threads, each with a ring of its own
  int queue_depth = 32;              // for kUring: reads of a ring in flight
  bool direct_io = false;            // O_DIRECT: past the page cache, for cold measurements and large stores
  ThroughputMeter* meter = nullptr;  // beside those of the chunks' folders: usually &store.throughput()
  // For tests and `bench stream`: the bandwidth in bytes per second at a time (seconds since the stream began); reads
  // are held back to it. Empty: as fast as it goes. BandwidthTrace::as_function() gives one.
  std::function<double(double)> bandwidth{};
  // Which of a chunk's forms a layer is read from, asked when its turn to be read comes (perhaps more than once).
  // Empty: the first. Called by the reading threads, one call at a time; must not call the stream.
  std::function<size_t(int chunk, int layer)> choose{};
};

struct ChunkStreamStats {
  uint64_t bytes_read = 0;
  int64_t segments = 0;
  double wait_seconds = 0;  // that fetch() spent waiting for data
  int64_t waits = 0;        // fetches that had to wait
};

class ChunkStream {
 public:
  // Chunks without a payload in the stream (to be recomputed) may be null.
  static Result<std::unique_ptr<ChunkStream>> start(std::vector<std::shared_ptr<const StoredChunk>> chunks,
                                                    const ChunkStreamOptions& options);
  static Result<std::unique_ptr<ChunkStream>> start(std::vector<ChunkForms> chunks, const ChunkStreamOptions& options);
  ~ChunkStream();  // stops reading
  ChunkStream(const ChunkStream&) = delete;
  ChunkStream& operator=(const ChunkStream&) = delete;

  // The payload of one layer of one chunk, checked; waits for it. Layers are read in the order: all chunks of
  // first_layer, all chunks of the next, ...; asking in that order never seeks. kCorruption, kIo: recompute the chunk.
  // form: where given, becomes the index of the form it came from, also when it could not be read.
  Status fetch(int chunk, int layer, std::vector<std::byte>& out, size_t* form = nullptr);
  // True when fetch() would not wait.
  bool ready(int chunk, int layer) const;
  ChunkStreamStats stats() const;
  ReadMethod method() const;  // what kAuto became

 private:
  struct State;
  explicit ChunkStream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mneme::storage
