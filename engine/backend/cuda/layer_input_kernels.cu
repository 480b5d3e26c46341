#include "engine/backend/cuda/layer_input_kernels.h"

#include "engine/backend/cuda/activation.cuh"
#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/quant_units.cuh"
#include "engine/backend/cuda/row_norm.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 128;
constexpr float kMean = 0.70710678118654752f;  // 1 / sqrt(2)

// A block a row and a layer.
__global__ void __launch_bounds__(kThreads) mix_kernel(LayerInputMix mix, float* inputs) {
  after_earlier_kernels();
  const int64_t row = blockIdx.x;
  const int first = static_cast<int>(blockIdx.y) * mix.width;
  float* part = inputs + row * mix.n_layers * mix.width + first;
  const float scale = mix.projection_scale * (mix.row_scales != nullptr ? mix.row_scales[row] : 1.0f);
  float squares = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < mix.width; i += kThreads)
    squares = plus_square(squares, part[i] * scale);
  const float inverse = inverse_deviation(block_sum(squares), mix.width, mix.epsilon);
  const auto* entry = reinterpret_cast<const uint8_t*>(mix.table.data) + mix.ids[row] * mix.table.stride_bytes;
  const float table_scale = sqrtf(static_cast<float>(mix.width));
  // Units of the table, of which the first and the last may belong to neighbouring layers, too.
  const int end_unit = (first + mix.width + kUnit - 1) / kUnit;
  for (int unit = first / kUnit + static_cast<int>(threadIdx.x); unit < end_unit; unit += kThreads) {
    float values[kUnit];
    read_weights(mix.table.type, entry, unit, static_cast<int>(mix.table.n_in), values);
    for (int j = 0; j < kUnit; ++j) {
      const int i = unit * kUnit + j - first;
      if (i < 0 || i >= mix.width) continue;
      part[i] = (normed(part[i] * scale, inverse, mix.norm_weight[i], 0.0f) + values[j] * table_scale) * kMean;
    }
  }
}

__global__ void __launch_bounds__(kThreads) gate_kernel(LayerInputGate in, float* gate) {
  after_earlier_kernels();
  const int64_t row = blockIdx.x;
  const int i = static_cast<int>(blockIdx.y * kThreads + threadIdx.x);
  if (i >= in.width) return;
  const float scale = in.row_scales != nullptr ? in.row_scales[row] : 1.0f;
  float& own = gate[row * in.width + i];
  own = gated_activation(in.activation, own * scale, in.inputs[row * in.stride + i]);
}

}  // namespace

cudaError_t mix_layer_inputs(cudaStream_t stream, const LayerInputMix& mix, int n_rows, float* inputs) {
  const dim3 grid(static_cast<unsigned>(n_rows), static_cast<unsigned>(mix.n_layers));
  return launch(stream, grid, kThreads, 0, mix_kernel, mix, inputs);
}

cudaError_t gate_layer_input(cudaStream_t stream, const LayerInputGate& in, int n_rows, float* gate) {
  const dim3 grid(static_cast<unsigned>(n_rows), static_cast<unsigned>((in.width + kThreads - 1) / kThreads));
  return launch(stream, grid, kThreads, 0, gate_kernel, in, gate);
}

}  // namespace mneme::engine::cuda
