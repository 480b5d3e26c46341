// Scores by which rows are ranked, read off the KV cache: deviation of fresh KV from stored, and the question's
// attention. They work on the host over any backend's cache and synchronise, on the few layers that need them.
// Threads: pure apart from the backend they read from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/f16.h"
#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/fusion/selector.h"
#include "engine/model/model_config.h"

namespace mneme::engine {

// A copy of one layer's keys (as attention sees them) and values of positions [first, first + n_tokens).
struct LayerSnapshot {
  std::vector<f16> keys;
  std::vector<f16> values;
};
Result<LayerSnapshot> snapshot_layer(const ModelConfig& config, const KvCache& cache, int layer, TokenPos first,
                                     int n_tokens);
// The same without the values.
Result<LayerSnapshot> snapshot_keys(const ModelConfig& config, const KvCache& cache, int layer, TokenPos first,
                                    int n_tokens);

// Per token: ||k - k'||^2 / mean ||k||^2 + ||v - v'||^2 / mean ||v||^2, summed over the KV heads (CacheBlend,
// section 4.3; keys and values each in units of their own mean square, so that neither drowns the other). Rotation
// leaves the key part unchanged.
std::vector<float> kv_deviation(const LayerSnapshot& stored, const LayerSnapshot& fresh, int n_tokens);

// Adds, per position of the snapshot, the attention that the queries pay to it: softmax over the keys a row sees
// (positions <= its own, > its own - window), summed over rows and heads. Weights are good to 1e-4 of themselves; a
// soft cap and sinks are left out, since they leave the order of a head's scores as it is.
//   queries (positions.size(), n_heads * head_dim) after RoPE; positions relative to the snapshot's first token.
//   window 0: all.
void add_attention_mass(const ModelConfig& config, std::span<const float> queries, std::span<const int> positions,
                        const LayerSnapshot& layer, int window, std::span<float> mass);

// What stands around an important token is worth repairing with it: every score becomes the highest of its own and of
// those up to `before` places behind it and `after` places before it, each times 0.7 a place.
void spread_scores(std::span<float> scores, int before, int after);

// The tokens of a word belong together: every score becomes at least that of any other token of its word times 0.8 a
// place. Less would leave half a number as it was, and without fading one long name would take the rows of its rivals.
//   starts: as many as scores, 1 where a word begins (word_starts.h).
void share_within_words(std::span<float> scores, std::span<const uint8_t> starts);

// Both, as a selector asks for them, over the scores of one chunk.
void widen_scores(const Selector& selector, std::span<const uint8_t> starts, std::span<float> scores);

}  // namespace mneme::engine
