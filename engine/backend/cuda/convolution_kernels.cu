#include "engine/backend/cuda/convolution_kernels.h"

#include "engine/backend/cuda/state_rows.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 128;

__device__ __forceinline__ float gated_channel(const StateStep& step, const Sequence& group, int row, int channel) {
  if (row < 0) return earlier_channel(step, group, row, channel);
  const float* const projected = step.projected + (group.first_row + row) * step.width + channel;
  return projected[0] * projected[2 * channels(step.state)];
}

// A channel of row blockIdx.x.
__global__ void __launch_bounds__(kThreads) short_convolution_kernel(StateStep step, RowsView rows) {
  after_earlier_kernels();
  const int n_channels = channels(step.state);
  const int channel = static_cast<int>(blockIdx.y) * kThreads + static_cast<int>(threadIdx.x);
  if (channel >= n_channels) return;
  const int64_t row = blockIdx.x;
  const Sequence group = sequence_of(step, rows, rows.groups_of[row]);
  const int first = static_cast<int>(row) - group.first_row - step.state.conv_width + 1;
  float sum = 0.0f;
  for (int j = 0; j < step.state.conv_width; ++j)
    sum += step.conv[int64_t{j} * n_channels + channel] * gated_channel(step, group, first + j, channel);
  step.out[row * n_channels + channel] = sum * step.projected[row * step.width + n_channels + channel];
}

// A channel of group blockIdx.x, the oldest row first: what it overwrites is not needed any more.
__global__ void __launch_bounds__(kThreads) keep_gated_kernel(StateStep step, RowsView rows) {
  after_earlier_kernels();
  const int n_channels = channels(step.state);
  const int channel = static_cast<int>(blockIdx.y) * kThreads + static_cast<int>(threadIdx.x);
  if (channel >= n_channels) return;
  const Sequence group = sequence_of(step, rows, static_cast<int>(blockIdx.x));
  const int n_recent = step.state.conv_width - 1;
  for (int i = 0; i < n_recent; ++i)
    group.recent[int64_t{i} * n_channels + channel] = gated_channel(step, group, group.n_rows - n_recent + i, channel);
}

}  // namespace

cudaError_t mix_convolution(cudaStream_t stream, const StateStep& step, const RowsView& rows) {
  const auto n_parts = static_cast<unsigned>((step.state.channels() + kThreads - 1) / kThreads);
  const dim3 all(static_cast<unsigned>(rows.n_rows), n_parts);
  const cudaError_t error = launch(stream, all, kThreads, 0, short_convolution_kernel, step, rows);
  if (error != cudaSuccess) return error;
  return launch(stream, dim3(static_cast<unsigned>(step.n_groups), n_parts), kThreads, 0, keep_gated_kernel, step,
                rows);
}

}  // namespace mneme::engine::cuda
