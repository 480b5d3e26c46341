#include "engine/backend/cpu/cpu_layer_inputs.h"

#include <cmath>
#include <numbers>

#include "engine/backend/cpu/cpu_casts.h"
#include "engine/backend/cpu/cpu_feed_forward.h"

namespace mneme::engine::cpu {
namespace {

constexpr size_t kRowsAtOnce = 4;  // that a thread takes at a time

}  // namespace

void LayerInputs::make(const ModelConfig& config, const LayerInputSource& source, std::span<const TokenId> ids,
                       const CpuActivations& x, CpuActivations& inputs) {
  const auto n_rows = static_cast<int>(ids.size());
  const int width = config.layer_input_dim;
  multiplier_.begin({x.row(0), x.width, n_rows, config.dim});
  multiplier_.multiply(cast(*source.projection), nullptr, inputs.row(0), inputs.width);
  looked_up_.shape(n_rows, inputs.width);
  const float projection_scale = 1.0f / std::sqrt(static_cast<float>(config.dim));
  const float table_scale = std::sqrt(static_cast<float>(width));
  constexpr auto kMean = static_cast<float>(1.0 / std::numbers::sqrt2);
  pool_.parallel_for(ids.size(), kRowsAtOnce, [&](int, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const auto row = static_cast<int64_t>(i);
      float* const own = inputs.row(row);
      float* const entry = looked_up_.row(row);
      cast(*source.table).read_row(ids[i], entry);
      for (int j = 0; j < inputs.width; ++j) own[j] *= projection_scale;
      for (int j = 0; j < inputs.width; j += width)
        kernels_.rms_norm(own + j, vector_or_null(source.norm.weight), config.norm_epsilon, width, own + j);
      for (int j = 0; j < inputs.width; ++j) own[j] = (own[j] + entry[j] * table_scale) * kMean;
    }
  });
}

void LayerInputs::finish(const ModelConfig& config, int layer, const LayerInputWeights& weights, int n_rows,
                         const CpuActivations* inputs, CpuActivations& x) {
  const int width = config.layer_input_dim;
  const bool takes_input = inputs != nullptr && weights.gate != nullptr;
  const float scale = config.layers[static_cast<size_t>(layer)].output_scale;
  const auto for_rows = [&](auto body) {
    pool_.parallel_for(static_cast<size_t>(n_rows), kRowsAtOnce, [&](int, size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row) body(static_cast<int64_t>(row));
    });
  };
  if (takes_input) {
    gated_.shape(n_rows, width);
    added_.shape(n_rows, config.dim);
    multiplier_.begin({x.row(0), x.width, n_rows, config.dim});
    multiplier_.multiply(cast(*weights.gate), nullptr, gated_.row(0), gated_.width);
    const auto activation = activation_of(kernels_, config);
    for_rows([&](int64_t row) {
      activation(gated_.row(row), inputs->row(row) + int64_t{layer} * width, width, gated_.row(row));
    });
    multiplier_.begin({gated_.row(0), gated_.width, n_rows, width});
    multiplier_.multiply(cast(*weights.projection), nullptr, added_.row(0), added_.width);
  }
  for_rows([&](int64_t row) {
    float* const own = x.row(row);
    if (takes_input) {
      float* const added = added_.row(row);
      kernels_.rms_norm(added, vector_or_null(weights.output_norm.weight), config.norm_epsilon, config.dim, added);
      kernels_.add(added, config.dim, own);
    }
    if (scale != 1.0f)
      for (int i = 0; i < config.dim; ++i) own[i] *= scale;
  });
}

}  // namespace mneme::engine::cpu
