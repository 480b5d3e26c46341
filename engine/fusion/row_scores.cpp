#include "engine/fusion/row_scores.h"

#include <algorithm>
#include <cmath>

namespace mneme::engine {
namespace {

// Squared distance per token, in units of the mean square norm of the fresh rows.
void add_relative_distance(std::span<const f16> stored, std::span<const f16> fresh, size_t width,
                           std::span<float> out) {
  std::vector<float> distance(out.size());
  double total_square = 0.0;
  for (size_t t = 0; t < out.size(); ++t) {
    for (size_t i = t * width; i < (t + 1) * width; ++i) {
      const float f = to_f32(fresh[i]);
      const float d = f - to_f32(stored[i]);
      distance[t] += d * d;
      total_square += static_cast<double>(f) * f;
    }
  }
  const double mean_square = total_square / static_cast<double>(std::max<size_t>(out.size(), 1));
  if (!(mean_square > 0.0)) return;
  for (size_t t = 0; t < out.size(); ++t) out[t] += distance[t] / static_cast<float>(mean_square);
}

float dot(const float* a, const float* b, int n) {
  // Four sums, so that the compiler may keep four accumulators.
  float sums[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int j = 0; j < 4; ++j) sums[j] += a[i + j] * b[i + j];
  }
  for (; i < n; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

Result<LayerSnapshot> snapshot_layer(const ModelConfig& config, const KvCache& cache, int layer, TokenPos first,
                                     int n_tokens) {
  LayerSnapshot snapshot;
  const size_t n_elements = static_cast<size_t>(n_tokens) * static_cast<size_t>(config.kv_dim());
  snapshot.keys.resize(n_elements);
  snapshot.values.resize(n_elements);
  MNEME_RETURN_IF_ERROR(cache.read(layer, first, n_tokens, /*unrotated=*/false, snapshot.keys, snapshot.values));
  return snapshot;
}

std::vector<float> kv_deviation(const ModelConfig& config, const LayerSnapshot& stored, const LayerSnapshot& fresh,
                                int n_tokens) {
  std::vector<float> deviation(static_cast<size_t>(n_tokens));
  const size_t width = static_cast<size_t>(config.kv_dim());
  add_relative_distance(stored.keys, fresh.keys, width, deviation);
  add_relative_distance(stored.values, fresh.values, width, deviation);
  return deviation;
}

void add_attention_mass(const ModelConfig& config, std::span<const float> queries, std::span<const int> positions,
                        const LayerSnapshot& layer, std::span<float> mass) {
  const int n_tokens = static_cast<int>(mass.size());
  const int group = config.n_heads / config.n_kv_heads;
  const size_t head_dim = static_cast<size_t>(config.head_dim);
  std::vector<float> keys(static_cast<size_t>(n_tokens) * head_dim);
  std::vector<float> weights(static_cast<size_t>(n_tokens));
  for (int kv_head = 0; kv_head < config.n_kv_heads; ++kv_head) {
    for (size_t t = 0; t < static_cast<size_t>(n_tokens); ++t) {
      const size_t from = (t * static_cast<size_t>(config.n_kv_heads) + static_cast<size_t>(kv_head)) * head_dim;
      for (size_t i = 0; i < head_dim; ++i) keys[t * head_dim + i] = to_f32(layer.keys[from + i]);
    }
    for (size_t r = 0; r < positions.size(); ++r) {
      const int n_visible = std::min(n_tokens, positions[r] + 1);
      for (int head = kv_head * group; head < (kv_head + 1) * group; ++head) {
        const float* q =
            queries.data() + (r * static_cast<size_t>(config.n_heads) + static_cast<size_t>(head)) * head_dim;
        float highest = -INFINITY;
        for (int t = 0; t < n_visible; ++t) {
          float& w = weights[static_cast<size_t>(t)];
          w = dot(q, keys.data() + static_cast<size_t>(t) * head_dim, config.head_dim) * config.attention_scale;
          highest = std::max(highest, w);
        }
        float total = 0.0f;
        for (int t = 0; t < n_visible; ++t) {
          weights[static_cast<size_t>(t)] = std::exp(weights[static_cast<size_t>(t)] - highest);
          total += weights[static_cast<size_t>(t)];
        }
        if (!(total > 0.0f)) continue;
        for (int t = 0; t < n_visible; ++t) mass[static_cast<size_t>(t)] += weights[static_cast<size_t>(t)] / total;
      }
    }
  }
}

}  // namespace mneme::engine
