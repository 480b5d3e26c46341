// Attention of single rows, computed plainly on the host from keys and queries that were read off a model: what the
// statistics of attention are made of. Threads: pure functions; a WideLayer is immutable.
#pragma once

#include <span>
#include <vector>

#include "base/f16.h"
#include "engine/model/model_config.h"

namespace mneme::app {

// f16 rows as f32, (n_tokens, n_kv_heads, head_dim).
std::vector<float> widened(std::span<const f16> rows);

// Positions [begin, end) that a row at `position` sees in this layer: causal, within the sliding window.
struct Visible {
  int begin = 0;
  int end = 0;
  int size() const { return end - begin; }
};
Visible visible_to(const engine::ModelConfig& config, int layer, int position);

// Scaled and capped scores of one query head against the keys it sees; scores[i] belongs to position seen.begin + i.
//   query: (head_dim) after RoPE; keys: as widened() gives them, after RoPE.
void head_scores(const engine::ModelConfig& config, std::span<const float> query, int head, std::span<const float> keys,
                 Visible seen, std::span<float> scores);

// In place: weights >= 0 that sum to 1.
void softmax(std::span<float> scores);

// out += sum of weights[i] * value of position seen.begin + i, for one query head. out: (head_dim)
void add_weighted_values(const engine::ModelConfig& config, std::span<const float> weights, int head,
                         std::span<const float> values, Visible seen, std::span<float> out);

}  // namespace mneme::app
