// A chunk's KV, computed and encoded to be stored at some levels: by the device that computed it, where that knows the
// level's codec, which takes milliseconds and brings down what is stored alone; else by the codec on the processor,
// while the next chunk may already be computed. How long encoding takes goes to the speed profile.
// Ownership: borrows the model and the speeds. Threads: all functions from any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/kv/chunk_kv.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

class SpeedBook;

class ChunkEncoder {
 public:
  ChunkEncoder(engine::LanguageModel& model, SpeedBook& speed) : model_(model), speed_(speed) {}

  struct Computed {
    int n_tokens = 0;
    engine::ChunkKv kv;                          // empty where the device has encoded everything
    std::vector<engine::EncodedLayers> encoded;  // by codec; without layers: from `kv`
  };
  // Computes the chunk behind the prefix, always the same one, for these codecs. kCancelled, kUsage, kResource.
  Result<Computed> compute(std::span<const engine::TokenId> prefix, std::span<const engine::TokenId> ids,
                           std::span<const engine::KvCodec* const> codecs, const CancelToken& cancel);
  // The layers as codecs[i] of compute() encodes them. kUnsupported for a level that rounds where a number is not
  // finite, or so far from the calibration's that it would come back as another one.
  Result<std::vector<std::vector<std::byte>>> layers_of(Computed& computed, size_t i, const engine::KvCodec& codec);

 private:
  Status open_calculator(std::span<const engine::TokenId> prefix) MNEME_REQUIRES(mutex_);
  void learn(const engine::KvCodec& codec, int n_tokens, double seconds);

  engine::LanguageModel& model_;
  SpeedBook& speed_;
  Mutex mutex_;
  std::unique_ptr<engine::ChunkKvCalculator> calculator_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::rag
