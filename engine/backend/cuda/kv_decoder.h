// Batches of stored KV on their way into caches: pinned memory of the host, one copy on the copy stream, entropy
// decoding on a stream of the batch's own, synthesis on the compute stream. Streams wait for each other by events; the
// host waits only for the copy of the batch whose pinned memory it fills anew.
//
// Several batches are under way at once, each with its memory and its stream. That hides the way up; and entropy
// decoding, which takes a stream of symbols as long for one as for a thousand beside each other, fills the device
// better (docs/cuda.md counts). Synthesis has more blocks than fit a device at once: on a stream beside them it would
// take the places before its turn has come, and the next batch's decoding, which has few and long-running ones, would
// not begin. On the compute stream all batches share one place for what is decoded.
// Ownership: borrows the device. Threads: one at a time.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/f16.h"
#include "engine/backend/cuda/codec_synthesis.h"
#include "engine/backend/cuda/codec_tables.h"
#include "engine/backend/cuda/decode_times.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/kv_batch.h"
#include "engine/backend/cuda/pinned_buffer.h"
#include "engine/codec/codec_transform.h"
#include "engine/codec/transform_payload.h"

namespace mneme::engine::cuda {

class KvDecoder {
 public:
  static constexpr size_t kMostBatches = 16;  // under way at once; of a small device's memory they would take too much
  static constexpr size_t kFewestBatches = 4;

  // How it decodes, for comparing.
  struct Ways {
    bool resident_tables = true;  // entropy decoding keeps a codec's tables in shared memory, where there is room
    bool places_within = true;    // synthesis places what it decodes, where synthesis_places()
  };
  KvDecoder(Device& device, const Ways& ways);
  ~KvDecoder();
  KvDecoder(const KvDecoder&) = delete;
  KvDecoder& operator=(const KvDecoder&) = delete;

  // The codec as the kernels know it; null where they do not. Threads: any.
  static const TransformCodec* known(const KvCodec& codec);
  // Takes a layer's bytes apart. kCorruption where lengths do not come out even.
  static Result<TransformFrame> parse(const TransformCodec& codec, int layer, int n_tokens, ByteSpan payload);

  // (tokens of all pieces, kv_dim) on the device, keys before RoPE; null: nothing was enqueued, since pieces are
  // corrupt, which say so, or it failed, and the device remembers.
  struct Decoded {
    const f16* keys = nullptr;
    const f16* values = nullptr;
    bool is_placed = false;  // where it belongs, and nowhere else
  };
  // Enqueues a batch, one piece behind the other; on the compute stream it is there, until the next one. All codecs are
  // of one shape. placing: where it belongs.
  Decoded begin(std::span<EncodedPiece> pieces, const SynthesisPlacing& placing);
  // What was enqueued on the compute stream until now was the batch's placing.
  void end();

  // Waits for every batch.
  void wait();
  // Milliseconds in which a batch was being decoded, since the last call; all of them are done.
  double take_milliseconds() { return times_.take_milliseconds(); }

 private:
  struct Slot {
    PinnedBuffer host;
    DeviceBuffer uploaded, symbols;
    cudaStream_t stream = nullptr;
    cudaEvent_t copied = nullptr;       // out of the host's memory
    cudaEvent_t has_symbols = nullptr;  // entropy decoding is done
    cudaEvent_t done = nullptr;         // nothing of the slot is used any more
  };
  bool open(Slot& slot);
  bool make_room(Slot& slot, const BatchSizes& sizes);
  void bound_tables();
  const CodecTables* tables_of(const TransformCodec& codec);
  bool find_tables(std::span<const EncodedPiece> pieces);
  // null: not placed.
  void enqueue(const BatchJobs& jobs, const SynthesisShape& shape, const SynthesisPlacing* placing, const Slot& slot);
  cudaError_t decode_symbols(const BatchJobs& jobs, cudaStream_t stream);

  Device& device_;
  std::vector<std::unique_ptr<CodecTables>> tables_;
  std::array<Slot, kMostBatches> slots_;
  const size_t n_slots_;  // of them, in use
  const Ways ways_;
  int most_tables_ = -1;  // in shared memory; -1: not asked yet
  DeviceBuffer decoded_;
  size_t current_ = 0;
  DecodeTimes times_;
  size_t batch_ = 0;  // under way, as times_ counts
  BatchWriter writer_;
  std::vector<const CodecTables*> tables_of_pieces_;
};

}  // namespace mneme::engine::cuda
