// Streams the stored KV of several chunks under a time goal: before each chunk it is decided anew in which form that
// one comes (stream_plan.h), from the throughput measured so far. While a chunk's layers are decoded, the next ones are
// read. Ownership: borrows chunks, codecs, meter and trace for the call. Threads: one call at a time; callbacks come
// from the calling thread.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "rag/kv_reuse/stream_plan.h"
#include "storage/chunks/bandwidth_trace.h"
#include "storage/chunks/chunk_store.h"

namespace mneme::rag {

// One chunk at the levels it is stored at; null where it is not.
struct LevelledChunk {
  std::array<std::shared_ptr<const storage::StoredChunk>, kStreamLevels> stored{};
  std::array<double, kStreamLevels> decode_seconds{};
  std::optional<double> recompute_seconds;

  StreamChunk options() const;
};

struct AdaptiveStreamOptions {
  StreamGoal goal;
  std::optional<StreamForm> fixed;  // no adaptation: this form for all (text where a chunk has no such level)
  std::array<const engine::KvCodec*, kStreamLevels> codecs{};
  storage::ThroughputMeter* meter = nullptr;          // what is known already, and learns on; null: nothing is known
  const storage::BandwidthTrace* throttle = nullptr;  // reads are held back to it; null: as fast as it goes
  double throttle_start = 0;                          // seconds into the trace
  bool direct_io = false;
};

struct AdaptiveStreamReport {
  std::vector<StreamForm> forms;  // in which the chunks came
  std::vector<int> failed;        // chunks whose data turned out damaged or gone: they came as text
  uint64_t bytes_read = 0;
  double seconds = 0;
  double loss = 0;
  bool in_time = false;
};

// A layer of a chunk, decoded (keys before RoPE): (n_tokens, kv_dim). Borrowed for the call. When a chunk fails midway,
// its text is asked for, and the layers it gave before are void.
using LayerConsumer = std::function<void(int chunk, int layer, std::span<const f16> keys, std::span<const f16> values)>;
// A chunk that is to be computed from its text.
using TextConsumer = std::function<Status(int chunk)>;

Result<AdaptiveStreamReport> stream_adaptively(std::span<const LevelledChunk> chunks,
                                               const AdaptiveStreamOptions& options, const LayerConsumer& on_layer,
                                               const TextConsumer& on_text,
                                               const CancelToken& cancel = never_cancelled());

}  // namespace mneme::rag
