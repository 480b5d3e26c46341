#include "engine/backend/cuda/delta_kernels.h"

#include "engine/backend/cuda/device_language.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 128;  // of a head of a row
// Of the recurrence: a column's elements are shared by neighbouring lanes of a warp.
constexpr int kParts = 8;
constexpr int kColumns = 32;
constexpr int kMixThreads = kParts * kColumns;
constexpr int kRowsAtOnce = 8;  // whose queries and keys are in shared memory

// As DeltaConfig says, which speaks to the host alone.
__device__ __forceinline__ int key_dim(const DeltaConfig& delta) {
  return delta.n_key_heads * delta.head_dim;
}
__device__ __forceinline__ int value_dim(const DeltaConfig& delta) {
  return delta.n_value_heads * delta.head_dim;
}
__device__ __forceinline__ int channels(const DeltaConfig& delta) {
  return 2 * key_dim(delta) + value_dim(delta);
}
__device__ __forceinline__ int values_per_key(const DeltaConfig& delta) {
  return delta.n_value_heads / delta.n_key_heads;
}

__device__ __forceinline__ float sigmoid(float x) {
  return 1.0f / (1.0f + expf(-x));
}
__device__ __forceinline__ float softplus(float x) {
  return x > 20.0f ? x : log1pf(expf(x));
}

// The rows of a sequence and its state of the layer.
struct Sequence {
  int first_row;
  int n_rows;
  bool begins;
  float* recent;    // (conv_width - 1, channels)
  float* matrices;  // by value heads
};
__device__ __forceinline__ Sequence sequence_of(const DeltaStep& step, const RowsView& rows, int group) {
  const GroupView& view = rows.groups[group];
  float* const recent = step.states[group] + step.state_place;
  return {view.first_row, view.n_rows, view.n_keys == view.n_rows, recent, recent + step.recent_floats};
}

// What the channel has of a row of the group; of rows before its first one what earlier steps have left.
__device__ __forceinline__ float channel_at(const DeltaStep& step, const Sequence& group, int row, int channel) {
  if (row >= 0) return step.projected[(group.first_row + row) * step.width + channel];
  if (group.begins) return 0.0f;
  const int recent = step.delta.conv_width - 1 + row;
  return group.recent[int64_t{recent} * channels(step.delta) + channel];
}

// Head blockIdx.y of a row: queries first, then keys, then values.
__global__ void __launch_bounds__(kThreads) convolve_kernel(DeltaStep step, RowsView rows) {
  after_earlier_kernels();
  const DeltaConfig& delta = step.delta;
  const int64_t row = blockIdx.x;
  const int head = static_cast<int>(blockIdx.y);
  const Sequence group = sequence_of(step, rows, rows.groups_of[row]);
  const int row_of_group = static_cast<int>(row) - group.first_row;
  float* out = step.mixed + row * channels(delta) + head * delta.head_dim;
  float squares = 0.0f;
  for (int d = static_cast<int>(threadIdx.x); d < delta.head_dim; d += kThreads) {
    const int channel = head * delta.head_dim + d;
    float sum = 0.0f;
    for (int j = 0; j < delta.conv_width; ++j)
      sum += step.conv[int64_t{j} * channels(delta) + channel] *
             channel_at(step, group, row_of_group - delta.conv_width + 1 + j, channel);
    const float y = sum * sigmoid(sum);
    squares += y * y;
    out[d] = y;
  }
  if (head >= 2 * delta.n_key_heads) return;
  const float length = head < delta.n_key_heads ? 1.0f / sqrtf(static_cast<float>(delta.head_dim)) : 1.0f;
  const float scale = length / sqrtf(block_sum(squares) + step.epsilon);
  for (int d = static_cast<int>(threadIdx.x); d < delta.head_dim; d += kThreads) out[d] *= scale;
}

struct SharedRows {
  float queries[kRowsAtOnce][kMaxStateDim];
  float keys[kRowsAtOnce][kMaxStateDim];
  float decays[kRowsAtOnce];
  float strengths[kRowsAtOnce];
};

// Rows [first, first + n) of the step, of a value head and its key head; behind a head's elements zeros, `length` in
// all.
__device__ __forceinline__ void take_rows(const DeltaStep& step, int first, int n, int head, int key_head, int length,
                                          SharedRows& shared) {
  const DeltaConfig& delta = step.delta;
  __syncthreads();
  for (int at = static_cast<int>(threadIdx.x); at < n * length; at += kMixThreads) {
    const int t = at / length;
    const int d = at % length;
    const float* row = step.mixed + int64_t{first + t} * channels(delta) + key_head * delta.head_dim + d;
    shared.queries[t][d] = d < delta.head_dim ? row[0] : 0.0f;
    shared.keys[t][d] = d < delta.head_dim ? row[key_dim(delta)] : 0.0f;
  }
  if (static_cast<int>(threadIdx.x) < n) {
    const int per_key = values_per_key(delta);
    const int strength_at = step.in_one_matrix ? 2 * key_head * per_key + head % per_key : head;
    const int decay_at = strength_at + (step.in_one_matrix ? per_key : delta.n_value_heads);
    const float* logits =
        step.projected + (first + static_cast<int>(threadIdx.x)) * step.width + channels(delta) + value_dim(delta);
    shared.decays[threadIdx.x] = expf(step.decay[head] * softplus(logits[decay_at] + step.alpha_bias[head]));
    shared.strengths[threadIdx.x] = sigmoid(logits[strength_at]);
  }
  __syncthreads();
}

__device__ __forceinline__ float sum_of_parts(float value) {
#pragma unroll
  for (int lanes = kParts / 2; lanes > 0; lanes /= 2) value += __shfl_xor_sync(kAllLanes, value, lanes);
  return value;
}

// The last rows of some channels, for the next step's convolutions: those of this step have been read.
__device__ __forceinline__ void keep_recent(const DeltaStep& step, const Sequence& group, int block, int n_blocks) {
  const int n_recent = step.delta.conv_width - 1;
  for (int channel = block * kMixThreads + static_cast<int>(threadIdx.x); channel < channels(step.delta);
       channel += n_blocks * kMixThreads) {
    for (int i = 0; i < n_recent; ++i)
      group.recent[int64_t{i} * channels(step.delta) + channel] =
          channel_at(step, group, group.n_rows - n_recent + i, channel);
  }
}

// A block has some columns of the state of one value head of one group: kPer elements of each in a thread. Blocks are
// few, so that each may have the registers it wants.
template <int kPer>
__global__ void __launch_bounds__(kMixThreads, 1) delta_kernel(DeltaStep step, RowsView rows) {
  after_earlier_kernels();
  __shared__ SharedRows shared;
  const DeltaConfig& delta = step.delta;
  const int head = static_cast<int>(blockIdx.x) % delta.n_value_heads;
  const Sequence group = sequence_of(step, rows, static_cast<int>(blockIdx.x) / delta.n_value_heads);
  const int key_head = delta.neighbours_share ? head / values_per_key(delta) : head % delta.n_key_heads;
  const int part = static_cast<int>(threadIdx.x) % kParts;
  const int column = static_cast<int>(blockIdx.y) * kColumns + static_cast<int>(threadIdx.x) / kParts;
  const bool has_column = column < delta.head_dim;
  float* matrix = group.matrices + int64_t{head} * delta.head_dim * step.stride;
  float state[kPer];
#pragma unroll
  for (int e = 0; e < kPer; ++e) {
    const int i = part + e * kParts;
    state[e] = group.begins || !has_column || i >= delta.head_dim ? 0.0f : matrix[int64_t{i} * step.stride + column];
  }
#pragma unroll 1
  for (int first = 0; first < group.n_rows; first += kRowsAtOnce) {
    const int n = group.n_rows - first < kRowsAtOnce ? group.n_rows - first : kRowsAtOnce;
    take_rows(step, group.first_row + first, n, head, key_head, kPer * kParts, shared);
#pragma unroll 1
    for (int t = 0; t < n; ++t) {
      const int64_t row = group.first_row + first + t;
      const int at = 2 * key_dim(delta) + head * delta.head_dim + column;
      const float value = has_column ? step.mixed[row * channels(delta) + at] : 0.0f;
      float known = 0.0f;
#pragma unroll
      for (int e = 0; e < kPer; ++e) {
        state[e] *= shared.decays[t];
        known += shared.keys[t][part + e * kParts] * state[e];
      }
      const float added = shared.strengths[t] * (value - sum_of_parts(known));
      float found = 0.0f;
#pragma unroll
      for (int e = 0; e < kPer; ++e) {
        state[e] += shared.keys[t][part + e * kParts] * added;
        found += shared.queries[t][part + e * kParts] * state[e];
      }
      found = sum_of_parts(found);
      if (part == 0 && has_column) step.out[row * value_dim(delta) + head * delta.head_dim + column] = found;
    }
  }
#pragma unroll
  for (int e = 0; e < kPer; ++e) {
    const int i = part + e * kParts;
    if (has_column && i < delta.head_dim) matrix[int64_t{i} * step.stride + column] = state[e];
  }
  keep_recent(step, group, head * static_cast<int>(gridDim.y) + static_cast<int>(blockIdx.y),
              delta.n_value_heads * static_cast<int>(gridDim.y));
}

// Value head blockIdx.y of a row.
__global__ void __launch_bounds__(kThreads) gated_norm_kernel(DeltaStep step) {
  after_earlier_kernels();
  const DeltaConfig& delta = step.delta;
  const int64_t row = blockIdx.x;
  const int first = static_cast<int>(blockIdx.y) * delta.head_dim;
  float* out = step.out + row * value_dim(delta) + first;
  const float* gates = step.projected + row * step.width + channels(delta) + first;
  float squares = 0.0f;
  for (int d = static_cast<int>(threadIdx.x); d < delta.head_dim; d += kThreads) squares += out[d] * out[d];
  const float inverse = 1.0f / sqrtf(block_sum(squares) / static_cast<float>(delta.head_dim) + step.epsilon);
  for (int d = static_cast<int>(threadIdx.x); d < delta.head_dim; d += kThreads)
    out[d] = out[d] * inverse * step.norm[d] * gates[d] * sigmoid(gates[d]);
}

__global__ void __launch_bounds__(kThreads) take_queries_kernel(const float* q, int width, float* queries) {
  after_earlier_kernels();
  const int64_t row = blockIdx.x;
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads)
    queries[row * width + i] = q[row * 2 * width + i];
}

__global__ void __launch_bounds__(kThreads) gate_kernel(const float* q, int width, float* x) {
  after_earlier_kernels();
  const int64_t row = blockIdx.x;
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads)
    x[row * width + i] *= sigmoid(q[(row * 2 + 1) * width + i]);
}

template <int kPer>
cudaError_t run_recurrence(cudaStream_t stream, const DeltaStep& step, const RowsView& rows) {
  const int n_tiles = (step.delta.head_dim + kColumns - 1) / kColumns;
  const dim3 grid(static_cast<unsigned>(step.n_groups * step.delta.n_value_heads), static_cast<unsigned>(n_tiles));
  return launch(stream, grid, kMixThreads, 0, delta_kernel<kPer>, step, rows);
}

cudaError_t run_recurrence_of_any(cudaStream_t stream, const DeltaStep& step, const RowsView& rows) {
  const int dim = step.delta.head_dim;
  if (dim <= 2 * kParts) return run_recurrence<2>(stream, step, rows);
  if (dim <= 4 * kParts) return run_recurrence<4>(stream, step, rows);
  if (dim <= 8 * kParts) return run_recurrence<8>(stream, step, rows);
  if (dim <= 16 * kParts) return run_recurrence<16>(stream, step, rows);
  return run_recurrence<kMaxStateDim / kParts>(stream, step, rows);
}

}  // namespace

cudaError_t mix_delta(cudaStream_t stream, const DeltaStep& step, const RowsView& rows) {
  const auto n_rows = static_cast<unsigned>(rows.n_rows);
  const auto n_values = static_cast<unsigned>(step.delta.n_value_heads);
  const dim3 heads(n_rows, 2 * static_cast<unsigned>(step.delta.n_key_heads) + n_values);
  cudaError_t error = launch(stream, heads, kThreads, 0, convolve_kernel, step, rows);
  if (error == cudaSuccess) error = run_recurrence_of_any(stream, step, rows);
  if (error == cudaSuccess) error = launch(stream, dim3(n_rows, n_values), kThreads, 0, gated_norm_kernel, step);
  return error;
}

cudaError_t take_queries(cudaStream_t stream, const float* q, int n_rows, int width, float* queries) {
  return launch(stream, dim3(static_cast<unsigned>(n_rows)), kThreads, 0, take_queries_kernel, q, width, queries);
}

cudaError_t gate_rows(cudaStream_t stream, const float* q, int n_rows, int width, float* x) {
  return launch(stream, dim3(static_cast<unsigned>(n_rows)), kThreads, 0, gate_kernel, q, width, x);
}

}  // namespace mneme::engine::cuda
