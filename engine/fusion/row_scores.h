// Scores by which rows are ranked, read off the KV cache: deviation of fresh KV from stored, and the question's
// attention. Reference implementations on the host over any backend's cache; they synchronise, on the few layers that
// need them. Threads: pure apart from the backend they read from.
#pragma once

#include <span>
#include <vector>

#include "base/f16.h"
#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/model/model_config.h"

namespace mneme::engine {

// A copy of one layer's keys (as attention sees them) and values of positions [first, first + n_tokens).
struct LayerSnapshot {
  std::vector<f16> keys;
  std::vector<f16> values;
};
Result<LayerSnapshot> snapshot_layer(const ModelConfig& config, const KvCache& cache, int layer, TokenPos first,
                                     int n_tokens);

// Per token: ||k - k'||^2 / mean ||k||^2 + ||v - v'||^2 / mean ||v||^2, summed over the KV heads (CacheBlend,
// section 4.3; keys and values each in units of their own mean square, so that neither drowns the other). Rotation
// leaves the key part unchanged.
std::vector<float> kv_deviation(const ModelConfig& config, const LayerSnapshot& stored, const LayerSnapshot& fresh,
                                int n_tokens);

// Adds, per position of the snapshot, the attention that the queries pay to it: softmax over positions <= the row's own
// (of the snapshot), summed over rows and heads.
//   queries (n_rows, n_heads * head_dim) after RoPE; positions relative to the snapshot's first token.
void add_attention_mass(const ModelConfig& config, std::span<const float> queries, std::span<const int> positions,
                        const LayerSnapshot& layer, std::span<float> mass);

}  // namespace mneme::engine
