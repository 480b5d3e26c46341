#include "engine/backend/cpu/latent_products.h"

#include <algorithm>

#include "engine/backend/cpu/cpu_casts.h"

namespace mneme::engine::cpu {
namespace {

constexpr size_t kRowsAtOnce = 4;  // that a thread takes at a time

}  // namespace

void LatentProducts::make_heads(const ModelConfig& config, const LatentWeights& weights, int n_rows,
                                ScratchRows& heads) {
  const LatentAttention& latent = config.latent;
  const int made_dim = config.made_query_dim();
  const int n_rot = config.head_dim - latent.rank;
  made_.shape(n_rows, int64_t{config.n_heads} * made_dim + config.head_dim);
  float* const kv = made_.row(0) + int64_t{config.n_heads} * made_dim;
  if (weights.q_down != nullptr) {
    queries_.shape(n_rows, latent.query_rank);
    multiplier_.multiply(cast(*weights.kv_down), nullptr, kv, made_.width);
    multiplier_.multiply(cast(*weights.q_down), nullptr, queries_.row(0), queries_.width);
    pool_.parallel_for(static_cast<size_t>(n_rows), kRowsAtOnce, [&](int, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        float* const row = queries_.row(static_cast<int64_t>(i));
        kernels_.rms_norm(row, vector_or_null(weights.q_norm), config.norm_epsilon, latent.query_rank, row);
      }
    });
    multiplier_.begin({queries_.row(0), queries_.width, n_rows, latent.query_rank});
    multiplier_.multiply(cast(*weights.q_up), nullptr, made_.row(0), made_.width);
  } else {
    const Product products[] = {{&cast(*weights.q_up), nullptr, made_.row(0)}, {&cast(*weights.kv_down), nullptr, kv}};
    multiplier_.multiply(products, made_.width);
  }
  pool_.parallel_for(static_cast<size_t>(n_rows), kRowsAtOnce, [&](int, size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) place_parts(config, weights, static_cast<int>(row), heads);
  });
  for (int h = 0; h < config.n_heads; ++h) {
    multiplier_.begin({made_.row(0) + int64_t{h} * made_dim, made_.width, n_rows, latent.plain_dim});
    multiplier_.multiply(cast(*weights.to_latent[static_cast<size_t>(h)]), nullptr,
                         heads.row(0) + int64_t{h} * config.head_dim + n_rot, heads.width);
  }
}

// All that needs no product: the rotated parts of queries, the key, the value.
void LatentProducts::place_parts(const ModelConfig& config, const LatentWeights& weights, int row, ScratchRows& heads) {
  const auto& [rank, query_rank, plain_dim, value_dim] = config.latent;
  const int head_dim = config.head_dim;
  const int n_rot = head_dim - rank;
  float* head = heads.row(row);
  const float* made = made_.row(row);
  for (int h = 0; h < config.n_heads; ++h, head += head_dim, made += config.made_query_dim())
    std::copy_n(made + plain_dim, n_rot, head);
  float* const key = head;
  float* const value = head + head_dim;
  std::copy_n(made + rank, n_rot, key);
  kernels_.rms_norm(made, vector_or_null(weights.kv_norm), config.norm_epsilon, rank, key + n_rot);
  std::fill_n(value, n_rot, 0.0f);
  std::copy_n(key + n_rot, rank, value + n_rot);
}

const float* LatentProducts::take_back(const ModelConfig& config, const LatentWeights& weights, int n_rows,
                                       const CpuActivations& attended) {
  const LatentAttention& latent = config.latent;
  const int n_rot = config.head_dim - latent.rank;
  outputs_.shape(n_rows, int64_t{config.n_heads} * latent.value_dim);
  for (int h = 0; h < config.n_heads; ++h) {
    const float* const head = attended.row(0) + int64_t{h} * config.head_dim + n_rot;
    multiplier_.begin({head, int64_t{config.n_heads} * config.head_dim, n_rows, latent.rank});
    multiplier_.multiply(cast(*weights.from_latent[static_cast<size_t>(h)]), nullptr,
                         outputs_.row(0) + int64_t{h} * latent.value_dim, outputs_.width);
  }
  return outputs_.row(0);
}

}  // namespace mneme::engine::cpu
