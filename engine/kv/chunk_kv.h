// "Calculate KV" of CacheGen's interfaces: the KV of a chunk, computed alone behind the fixed prefix, whose own rows
// are dropped. Chunks then carry no attention sink of their own, and their keys are kept before RoPE, free of any
// position. Ownership: borrows the model; holds one sequence with the prefix, reused from chunk to chunk. Threads: one
// at a time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/f16.h"
#include "base/status.h"
#include "engine/backend/encoded_kv.h"
#include "engine/language_model.h"

namespace mneme::engine {

// A chunk's KV of all layers that have their own, fp16: per layer (n_tokens, n_kv_heads, head_dim), keys before RoPE.
struct ChunkKv {
  int n_tokens = 0;
  std::vector<std::vector<f16>> keys;
  std::vector<std::vector<f16>> values;
};

class ChunkKvCalculator {
 public:
  // prefix: ids of BOS + system prompt; max_chunk_tokens: the longest chunk this will be asked for.
  static Result<std::unique_ptr<ChunkKvCalculator>> make(LanguageModel& model, std::span<const TokenId> prefix,
                                                         int max_chunk_tokens);

  // kCancelled leaves the calculator usable. kUsage for an empty or too long chunk.
  Result<ChunkKv> calculate(std::span<const TokenId> chunk, const CancelToken& cancel = never_cancelled());

  // The same in two steps. The KV of the chunk that was computed last stays where it is until the next one.
  Status compute(std::span<const TokenId> chunk, const CancelToken& cancel = never_cancelled());
  Result<ChunkKv> read();
  // Encoded by the device that has it; without layers where it does not (KvCache::encode).
  Result<EncodedLayers> encode(const KvCodec& codec);

 private:
  ChunkKvCalculator(LanguageModel& model, std::unique_ptr<Sequence> sequence, int n_prefix, int max_chunk_tokens);

  LanguageModel& model_;
  std::unique_ptr<Sequence> sequence_;
  const int n_prefix_;
  const int max_chunk_tokens_;
  int n_computed_ = 0;  // tokens of the chunk behind the prefix
};

}  // namespace mneme::engine
