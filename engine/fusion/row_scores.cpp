#include "engine/fusion/row_scores.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <iterator>

#include "engine/codec/codec_kernels.h"
#include "engine/codec/cpu_paths.h"

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

constexpr int kLanes = 16;  // what CodecKernels::multiply takes columns by, and loops below are written in

// What a score is worth one place from its token.
constexpr float kFade = 0.7f;
// And within its word.
constexpr float kWordFade = 0.8f;

size_t padded(size_t n) {
  return (n + kLanes - 1) / kLanes * kLanes;
}

// 2^x for x <= 0, to 1e-5 of itself; no branches, so that compilers may take several at once.
// x = whole + rest with |rest| <= 1/2, and 2^rest by its Taylor series.
inline float power_of_two(float x) {
  const float bounded = x > -120.0f ? x : -120.0f;  // NaN too
  const int whole = static_cast<int>(bounded - 0.5f);
  const float y = (bounded - static_cast<float>(whole)) * 0.69314718f;
  const float p = 1.0f + y * (1.0f + y * (0.5f + y * (0.16666667f + y * (0.041666667f + y * 0.0083333333f))));
  return p * std::bit_cast<float>((whole + 127) << 23);
}

float largest(std::span<const float> scores) {
  float lanes[kLanes];
  std::fill(std::begin(lanes), std::end(lanes), -INFINITY);
  size_t t = 0;
  for (; t + kLanes <= scores.size(); t += kLanes) {
    for (size_t i = 0; i < kLanes; ++i) lanes[i] = lanes[i] > scores[t + i] ? lanes[i] : scores[t + i];
  }
  float highest = *std::max_element(std::begin(lanes), std::end(lanes));
  for (; t < scores.size(); ++t) highest = std::max(highest, scores[t]);
  return highest;
}

// Scores to 2^(scale (score - highest)); their sum.
float weigh(std::span<float> scores, float scale) {
  const float highest = largest(scores);
  float lanes[kLanes] = {};
  size_t t = 0;
  for (; t + kLanes <= scores.size(); t += kLanes) {
    for (size_t i = 0; i < kLanes; ++i) {
      const float weight = power_of_two(scale * (scores[t + i] - highest));
      scores[t + i] = weight;
      lanes[i] += weight;
    }
  }
  float total = 0.0f;
  for (const float lane : lanes) total += lane;
  for (; t < scores.size(); ++t) total += scores[t] = power_of_two(scale * (scores[t] - highest));
  return total;
}

void add_scaled(std::span<const float> weights, float factor, std::span<float> mass) {
  for (size_t t = 0; t < weights.size(); ++t) mass[t] += weights[t] * factor;
}

// Heads' keys as floats. What is not a finite number becomes zero.
class KeyReader {
 public:
  KeyReader(const CodecKernels& kernels, size_t head_dim)
      : kernels_(kernels), zeros_(head_dim), rows_(kLanes * head_dim), head_dim_(head_dim) {}

  // One head's keys as (head_dim, padded n_tokens), so that a query's scores are sums of rows; what is padded is zero.
  // keys: the head's first; stride: elements from one token's to the next's.
  void transpose(std::span<const f16> keys, size_t n_tokens, size_t stride, std::vector<float>& columns) {
    const size_t width = padded(n_tokens);
    columns.resize(head_dim_ * width);
    for (size_t first = 0; first < width; first += kLanes) {
      for (size_t t = 0; t < kLanes; ++t) {
        const std::span<float> row = std::span(rows_).subspan(t * head_dim_, head_dim_);
        if (first + t < n_tokens) {
          widen(keys.subspan((first + t) * stride, head_dim_), row);
        } else {
          std::fill(row.begin(), row.end(), 0.0f);
        }
      }
      for (size_t d = 0; d < head_dim_; ++d) {
        float* const column = columns.data() + d * width + first;
        for (size_t t = 0; t < kLanes; ++t) column[t] = rows_[t * head_dim_ + d];
      }
    }
  }

 private:
  void widen(std::span<const f16> key, std::span<float> row) const {
    if (head_dim_ % kLanes == 0)
      return kernels_.centre(key.data(), zeros_.data(), static_cast<int>(head_dim_), row.data());
    for (size_t d = 0; d < head_dim_; ++d) {
      const float value = to_f32(key[d]);
      row[d] = std::isfinite(value) ? value : 0.0f;
    }
  }

  const CodecKernels& kernels_;
  const std::vector<float> zeros_;
  std::vector<float> rows_;
  const size_t head_dim_;
};

}  // namespace

Result<LayerSnapshot> snapshot_layer(const ModelConfig& config, const KvCache& cache, int layer, TokenPos first,
                                     int n_tokens) {
  LayerSnapshot snapshot;
  const size_t n_elements = static_cast<size_t>(n_tokens) * static_cast<size_t>(config.heads(layer).kv_dim());
  snapshot.keys.resize(n_elements);
  snapshot.values.resize(n_elements);
  MNEME_RETURN_IF_ERROR(cache.read(layer, first, n_tokens, /*unrotated=*/false, snapshot.keys, snapshot.values));
  return snapshot;
}

Result<LayerSnapshot> snapshot_keys(const ModelConfig& config, const KvCache& cache, int layer, TokenPos first,
                                    int n_tokens) {
  LayerSnapshot snapshot;
  snapshot.keys.resize(static_cast<size_t>(n_tokens) * static_cast<size_t>(config.heads(layer).kv_dim()));
  MNEME_RETURN_IF_ERROR(cache.read(layer, first, n_tokens, /*unrotated=*/false, snapshot.keys, {}));
  return snapshot;
}

std::vector<float> kv_deviation(const LayerSnapshot& stored, const LayerSnapshot& fresh, int n_tokens) {
  std::vector<float> deviation(static_cast<size_t>(n_tokens));
  if (n_tokens == 0) return deviation;
  const size_t width = fresh.keys.size() / static_cast<size_t>(n_tokens);
  add_relative_distance(stored.keys, fresh.keys, width, deviation);
  add_relative_distance(stored.values, fresh.values, width, deviation);
  return deviation;
}

void add_attention_mass(const ModelConfig& config, std::span<const float> queries, std::span<const int> positions,
                        const LayerSnapshot& layer, int window, std::span<float> mass) {
  if (mass.empty() || positions.empty()) return;
  const CodecKernels& kernels = codec_kernels(best_codec_path());
  // The layer's own, which others' may differ from.
  const size_t stride = layer.keys.size() / mass.size();
  const auto query_stride = static_cast<int>(queries.size() / positions.size());
  const size_t head_dim = static_cast<size_t>(query_stride / config.n_heads);
  const auto n_kv_heads = static_cast<int>(stride / head_dim);
  const size_t width = padded(mass.size());
  const float scale = config.attention_scale * 1.44269504f;
  const std::vector<float> zeros(width);
  KeyReader reader(kernels, head_dim);
  std::vector<float> columns;
  std::vector<float> scores(positions.size() * width);
  for (int head = 0; head < config.n_heads; ++head) {
    const int group = config.n_heads / n_kv_heads;
    if (head % group == 0) {
      const size_t first = static_cast<size_t>(head / group) * head_dim;
      reader.transpose(std::span(layer.keys).subspan(first), mass.size(), stride, columns);
    }
    kernels.multiply({.a = queries.data() + static_cast<size_t>(head) * head_dim,
                      .a_stride = query_stride,
                      .b = columns.data(),
                      .init = zeros.data(),
                      .out = scores.data(),
                      .out_stride = static_cast<int>(width),
                      .n_rows = static_cast<int>(positions.size()),
                      .depth = static_cast<int>(head_dim),
                      .n_columns = static_cast<int>(width)});
    for (size_t r = 0; r < positions.size(); ++r) {
      const size_t end = std::min(mass.size(), static_cast<size_t>(positions[r]) + 1);
      const size_t first = window > 0 && positions[r] >= window ? static_cast<size_t>(positions[r] - window + 1) : 0;
      if (first >= end) continue;
      const std::span<float> seen = std::span(scores).subspan(r * width + first, end - first);
      const float total = weigh(seen, scale);
      if (total > 0.0f) add_scaled(seen, 1.0f / total, mass.subspan(first, end - first));
    }
  }
}

void spread_scores(std::span<float> scores, int before, int after) {
  const std::vector<float> own(scores.begin(), scores.end());
  float worth = kFade;
  for (size_t step = 1; step < own.size() && step <= static_cast<size_t>(std::max({before, after, 0})); ++step) {
    for (size_t t = 0; t + step < own.size(); ++t) {
      if (step <= static_cast<size_t>(std::max(before, 0))) scores[t] = std::max(scores[t], own[t + step] * worth);
      if (step <= static_cast<size_t>(std::max(after, 0)))
        scores[t + step] = std::max(scores[t + step], own[t] * worth);
    }
    worth *= kFade;
  }
}

void share_within_words(std::span<float> scores, std::span<const uint8_t> starts) {
  assert(scores.size() == starts.size());
  for (size_t t = 1; t < scores.size(); ++t) {
    if (starts[t] == 0) scores[t] = std::max(scores[t], scores[t - 1] * kWordFade);
  }
  for (size_t t = scores.size(); t-- > 1;) {
    if (starts[t] == 0) scores[t - 1] = std::max(scores[t - 1], scores[t] * kWordFade);
  }
}

void widen_scores(const Selector& selector, std::span<const uint8_t> starts, std::span<float> scores) {
  if (selector.whole_words) share_within_words(scores, starts);
  spread_scores(scores, selector.take_before, selector.take_after);
}

}  // namespace mneme::engine
