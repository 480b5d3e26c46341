#include "engine/codec/kv_calibration.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/thread_pool.h"
#include "engine/codec/cpu_paths.h"
#include "engine/codec/kv_level_finder.h"
#include "engine/codec/kv_transform.h"
#include "engine/codec/symmetric_eigen.h"

namespace mneme::engine {

namespace {

constexpr int kMinTokens = 256;  // fewer say nothing about a basis

// Channels' means, and weights that bring all parts to one scale: errors of keys count as errors of logits in units of
// one, those of values relative to the part's size.
void measure_channels(const KvMoments& moments, int kv_dim, const std::vector<double>& energy, double part_weight,
                      KvBasis& basis) {
  double variance = 0;
  for (int c = 0; c < kv_dim; ++c) {
    basis.mean.push_back(static_cast<float>(moments.mean(c)));
    variance += moments.variance(c);
  }
  const double size = std::sqrt(std::max(variance / kv_dim, 1e-12));
  double mean_energy = 0;
  for (const double e : energy) mean_energy += e / kv_dim;
  for (int c = 0; c < kv_dim; ++c) {
    // Channels no query looked at in the calibration text may be looked at later.
    const double weight = mean_energy > 0 ? std::sqrt(std::max(energy[c], 0.01 * mean_energy)) : 1.0 / size;
    basis.weight.push_back(static_cast<float>(std::clamp(weight * part_weight, 1e-6, 1e6)));
  }
}

// The principal directions of each group's weighted channels.
void find_directions(const KvMoments& moments, int kv_dim, int group_dim, KvBasis& basis) {
  for (int g = 0; g < kv_dim / group_dim; ++g) {
    const float* const weight = basis.weight.data() + static_cast<size_t>(g) * group_dim;
    std::vector<double> covariance(static_cast<size_t>(group_dim) * group_dim);
    for (int i = 0; i < group_dim; ++i) {
      for (int j = 0; j < group_dim; ++j)
        covariance[static_cast<size_t>(i) * group_dim + j] = moments.covariance(g, i, j) * weight[i] * weight[j];
    }
    for (const double x : symmetric_eigen(std::move(covariance), group_dim).vectors) {
      basis.vectors.push_back(to_f16(static_cast<float>(x)));
    }
  }
}

// (rows, columns) to (columns, rows).
std::vector<float> turned(const std::vector<float>& values, size_t columns) {
  const size_t rows = values.size() / columns;
  std::vector<float> result(values.size());
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) result[column * rows + row] = values[row * columns + column];
  }
  return result;
}

// Numbers of one token, as finish() holds them.
size_t token_bytes(const KvShape& shape) {
  return static_cast<size_t>(shape.n_layers) * 2 * static_cast<size_t>(shape.kv_dim()) * sizeof(float);
}

// Of how many tokens one is kept.
size_t stride_for(const KvShape& shape, size_t n_tokens, size_t kept_bytes) {
  return std::max<size_t>(1, (n_tokens * token_bytes(shape) + kept_bytes - 1) / kept_bytes);
}

}  // namespace

uint64_t KvCalibrator::bytes_for(const KvShape& shape, size_t n_tokens) {
  const size_t kept = n_tokens / stride_for(shape, n_tokens, kKeptBytes) + 1;
  const auto products = static_cast<size_t>(std::max(1, kv_group_dim(shape.kv_dim()))) * sizeof(double);
  return token_bytes(shape) * kept + token_bytes(shape) / sizeof(float) * products;
}

KvCalibrator::KvCalibrator(const KvShape& shape, size_t n_tokens, size_t kept_bytes)
    : shape_(shape), stride_(stride_for(shape, n_tokens, kept_bytes)) {
  const auto kv_dim = static_cast<size_t>(shape.kv_dim());
  const KvMoments none(shape.kv_dim(), std::max(1, kv_group_dim(shape.kv_dim())));
  layers_.assign(shape.n_layers, Layer{.parts = {Part{none, {}}, Part{none, {}}}, .query_energy = {}});
  for (Layer& layer : layers_) {
    for (Part& part : layer.parts) part.kept.reserve((n_tokens / stride_ + 1) * kv_dim);
  }
}

void KvCalibrator::add(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values) {
  const auto kv_dim = static_cast<size_t>(shape_.kv_dim());
  assert(keys.size() == n_tokens * kv_dim && values.size() == keys.size());
  Layer& own = layers_[layer];
  const std::array rows{keys, values};
  for (size_t part = 0; part < rows.size(); ++part) {
    own.parts[part].moments.add(rows[part]);
    for (size_t t = 0; t < static_cast<size_t>(n_tokens); ++t) {
      if ((own.n_tokens + t) % stride_ != 0) continue;
      const auto row = rows[part].subspan(t * kv_dim, kv_dim);
      own.parts[part].kept.insert(own.parts[part].kept.end(), row.begin(), row.end());
    }
  }
  own.n_tokens += n_tokens;
}

size_t KvCalibrator::n_kept_tokens() const {
  return layers_.empty() ? 0 : layers_.front().parts.front().kept.size() / static_cast<size_t>(shape_.kv_dim());
}

void KvCalibrator::add_queries(int layer, int n, int n_heads, std::span<const float> queries) {
  std::vector<double>& energy = layers_[layer].query_energy;
  energy.resize(shape_.kv_dim());
  const int group = n_heads / shape_.n_kv_heads;
  const double scale = 1.0 / (static_cast<double>(n) * group * shape_.head_dim);
  for (int t = 0; t < n; ++t) {
    for (int h = 0; h < n_heads; ++h) {
      const float* q = queries.data() + (static_cast<size_t>(t) * n_heads + h) * shape_.head_dim;
      double* own = energy.data() + std::min(h / group, shape_.n_kv_heads - 1) * shape_.head_dim;
      for (int i = 0; i < shape_.head_dim; ++i) own[i] += double{q[i]} * q[i] * scale;
    }
  }
}

// One layer's keys or values: given a basis, and those that were kept turned into it.
std::vector<float> KvCalibrator::fit_basis(int layer, int part, double key_weight, KvProfile& profile) {
  Part& own = layers_[layer].parts[part];
  const int kv_dim = shape_.kv_dim();
  KvBasis& basis = profile.bases[layer][part];
  const std::vector<double> energy = part == 0 ? layers_[layer].query_energy : std::vector<double>();
  measure_channels(own.moments, kv_dim, energy, part == 0 ? key_weight : 1.0, basis);
  find_directions(own.moments, kv_dim, profile.group_dim, basis);
  const std::vector<f16> kept = std::exchange(own.kept, {});
  const KvForwardTransform transform(basis, kv_dim, profile.group_dim);
  std::vector<float> rows;
  transform.apply(codec_kernels(best_codec_path()), static_cast<int>(kept.size() / kv_dim), kept, rows);
  return turned(rows, static_cast<size_t>(kv_dim));
}

Result<KvProfile> KvCalibrator::finish(const KvCalibrationOptions& options, const CancelToken& cancel) {
  const int kv_dim = shape_.kv_dim();
  KvProfile profile;
  profile.shape = shape_;
  profile.group_dim = kv_group_dim(kv_dim);
  if (profile.group_dim == 0) {
    return unsupported(
        "KV of " + std::to_string(kv_dim) +
        " channels per layer cannot be compressed with loss (not a multiple of 16); use --kv-level exact.");
  }
  KvComponents components(shape_.n_layers);
  profile.bases.resize(shape_.n_layers);
  for (int layer = 0; layer < shape_.n_layers; ++layer) {
    const size_t n_tokens = layers_[layer].n_tokens;
    if (n_tokens < kMinTokens) {
      return usage_error("calibration needs at least " + std::to_string(kMinTokens) + " tokens of text and got " +
                         std::to_string(n_tokens) + ".");
    }
  }
  ThreadPool pool(ThreadPool::physical_cores());
  pool.parallel_for(2 * components.size(), 1, [&](int, size_t begin, size_t end) {
    for (size_t i = begin; i < end && !cancel.cancelled(); ++i) {
      const auto part = static_cast<int>(i % 2);
      components[i / 2][part] = fit_basis(static_cast<int>(i / 2), part, options.key_weight, profile);
    }
  });
  if (cancel.cancelled()) return cancelled();
  for (size_t level = 0; level < profile.levels.size(); ++level) {
    MNEME_ASSIGN_OR_RETURN(profile.levels[level], find_level(components, kv_dim, profile.group_dim,
                                                             options.bits_per_element[level], pool, cancel));
  }
  return profile;
}

}  // namespace mneme::engine
