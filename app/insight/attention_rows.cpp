#include "app/insight/attention_rows.h"

#include <algorithm>
#include <cmath>

namespace mneme::app {
namespace {

// Where the head that this query head shares stands in the row of a position.
size_t row_offset(const engine::ModelConfig& config, int position, int head) {
  const int kv_head = head / (config.n_heads / config.n_kv_heads);
  return static_cast<size_t>(position) * static_cast<size_t>(config.kv_dim()) +
         static_cast<size_t>(kv_head) * static_cast<size_t>(config.head_dim);
}

}  // namespace

std::vector<float> widened(std::span<const f16> rows) {
  std::vector<float> wide(rows.size());
  std::transform(rows.begin(), rows.end(), wide.begin(), [](f16 value) { return to_f32(value); });
  return wide;
}

Visible visible_to(const engine::ModelConfig& config, int layer, int position) {
  const int window = config.layers[static_cast<size_t>(layer)].sliding_window;
  return {.begin = window > 0 ? std::max(0, position - window + 1) : 0, .end = position + 1};
}

void head_scores(const engine::ModelConfig& config, std::span<const float> query, int head, std::span<const float> keys,
                 Visible seen, std::span<float> scores) {
  const float cap = config.attention_softcap;
  for (int i = 0; i < seen.size(); ++i) {
    const float* key = keys.data() + row_offset(config, seen.begin + i, head);
    float sum = 0;
    for (size_t d = 0; d < query.size(); ++d) sum += query[d] * key[d];
    sum *= config.attention_scale;
    scores[static_cast<size_t>(i)] = cap > 0 ? cap * std::tanh(sum / cap) : sum;
  }
}

void softmax(std::span<float> scores) {
  if (scores.empty()) return;
  const float highest = *std::max_element(scores.begin(), scores.end());
  double total = 0;
  for (float& score : scores) {
    score = std::exp(score - highest);
    total += score;
  }
  for (float& score : scores) score = static_cast<float>(score / total);
}

void add_weighted_values(const engine::ModelConfig& config, std::span<const float> weights, int head,
                         std::span<const float> values, Visible seen, std::span<float> out) {
  for (int i = 0; i < seen.size(); ++i) {
    const float weight = weights[static_cast<size_t>(i)];
    const float* value = values.data() + row_offset(config, seen.begin + i, head);
    for (size_t d = 0; d < out.size(); ++d) out[d] += weight * value[d];
  }
}

}  // namespace mneme::app
