// Keys and values that no model computed. Their times are real; what they say about quality is not. Threads: one at a
// time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/kv/chunk_kv.h"

namespace mneme::engine {
class LanguageModel;
class Sequence;
}  // namespace mneme::engine

namespace mneme::app {

// For codecs: few hidden directions mixed into all channels, as in trained models. Deterministic.
std::vector<engine::ChunkKv> synthetic_kv(const engine::KvShape& shape, int n_chunks, int n_tokens, uint64_t seed);
inline constexpr engine::KvShape kSyntheticShape{.n_layers = 4, .n_kv_heads = 4, .head_dim = 64};

// For lengths that a prefill would take hours to reach, with the traits that matter to retrieval: a few strong
// directions and a tail of weak ones, a mean with outlying dimensions, topics that last for stretches of text. Fills an
// empty sequence with n_tokens tokens.
Status place_structured_kv(engine::LanguageModel& model, engine::Sequence& sequence, int n_tokens, uint64_t seed);

}  // namespace mneme::app
