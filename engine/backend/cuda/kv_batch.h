// A batch of stored KV as kernels decode it: laid out and written into pinned memory. Its layout takes the lengths
// alone; bytes and exceptions, which are most of the work, are dealt out to several threads.
// Ownership: borrows what it is given. Threads: one at a time; it has threads of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/f16.h"
#include "base/thread_pool.h"
#include "engine/backend/cuda/codec_rans.h"
#include "engine/backend/cuda/codec_synthesis.h"
#include "engine/backend/cuda/codec_tables.h"
#include "engine/backend/cuda/stream_repairs.h"
#include "engine/backend/cuda/twin_memory.h"
#include "engine/codec/codec_transform.h"
#include "engine/codec/transform_payload.h"

namespace mneme::engine::cuda {

inline constexpr size_t kRansStateBytes = kRansLanes * sizeof(uint32_t);  // a stream begins with them

// One chunk's layer, taken apart.
struct EncodedPiece {
  const TransformCodec* codec = nullptr;  // one that KvDecoder takes
  int layer = 0;
  int n_tokens = 0;  // > 0
  TransformFrame frame;
  int* damaged = nullptr;   // on the device: becomes 1 where a stream does not come out even
  bool is_corrupt = false;  // becomes true where exceptions are not in their places
};

// What a batch takes.
struct BatchSizes {
  size_t n_streams = 0;
  size_t n_blocks = 0;  // at most
  size_t n_tiles = 0;
  size_t n_begins = 0;
  size_t n_repairs = 0;
  size_t stream_bytes = 0;
  size_t symbol_bytes = 0;
  size_t part_bytes = 0;  // of decoded keys, or values

  size_t uploaded_bytes() const {
    return TwinMemory::bytes_of<RansJob>(n_streams) + TwinMemory::bytes_of<RansBlock>(n_blocks) +
           TwinMemory::bytes_of<SynthesisJob>(n_streams) + TwinMemory::bytes_of<SynthesisTile>(n_tiles) +
           TwinMemory::bytes_of<uint32_t>(n_begins) + TwinMemory::bytes_of<ComponentRepair>(n_repairs) + stream_bytes;
  }
};
BatchSizes batch_sizes(std::span<const EncodedPiece> pieces);

// Where a batch goes, as large as its sizes say: the host's memory, and the device's that it is copied to; there also
// symbols and what is decoded.
struct BatchMemory {
  std::byte* host = nullptr;
  std::byte* uploaded = nullptr;
  uint8_t* symbols = nullptr;
  f16* keys = nullptr;  // (tokens of all pieces, kv_dim)
  f16* values = nullptr;
};

// A batch as it was written, by its addresses on the device.
struct BatchJobs {
  const RansJob* rans = nullptr;
  const RansBlock* blocks = nullptr;
  const SynthesisJob* synthesis = nullptr;
  const SynthesisTile* tiles = nullptr;
  int n_streams = 0;
  int n_blocks = 0;
  int n_tables = 0;  // the most of any block
  int n_tiles = 0;
  size_t n_bytes = 0;  // to be copied up
};

// One stream's share of what is dealt out. No two write the same memory, whatever the bytes.
struct StreamTask {
  size_t piece = 0;
  ByteSpan bytes;
  std::byte* to = nullptr;
  const TransformPlan* plan = nullptr;
  StreamExceptions exceptions;
  size_t first_repair = 0;  // the piece's, in the batch
  uint32_t* begins = nullptr;
  ComponentRepair* repairs = nullptr;  // the piece's
  bool is_corrupt = false;             // written by whoever runs it
};

class BatchWriter {
 public:
  // tables: of each piece's codec. Nothing where a piece is corrupt, which it then says; what was written is of no use.
  std::optional<BatchJobs> write(std::span<EncodedPiece> pieces, std::span<const CodecTables* const> tables,
                                 const BatchSizes& sizes, const BatchMemory& memory);

 private:
  void run_tasks();

  std::vector<StreamTask> tasks_;
  std::unique_ptr<ThreadPool> threads_;  // null: no batch was large yet
};

}  // namespace mneme::engine::cuda
