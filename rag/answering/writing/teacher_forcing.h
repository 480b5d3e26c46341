// Reading given tokens behind a prompt, for measuring: what the model holds of an answer that it did not write.
// Threads: one at a time per model.
#pragma once

#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/types.h"

namespace mneme::engine {
class LanguageModel;
class Sequence;
}  // namespace mneme::engine

namespace mneme::rag {

struct ForcedReading {
  engine::Sequence& sequence;
  // One token at a time, as decoded ones are read: where attention retrieves, tokens read together would see
  // everything.
  bool one_by_one = false;
  const CancelToken& cancel;
};

// logits: (ids.size(), vocab_size), behind each of the ids.
Status read_on(const ForcedReading& reading, std::span<const engine::TokenId> ids, std::vector<float>& logits);

// Mean -log p per token of `ids` behind what the sequence holds, whose own logits are `first` (vocab_size). ids: one at
// least.
Result<double> mean_nll(const ForcedReading& reading, std::span<const engine::TokenId> ids,
                        std::span<const float> first);

}  // namespace mneme::rag
