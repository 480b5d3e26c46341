#include "engine/backend/cuda/recurrence_kernels.h"

#include "engine/backend/cuda/state_rows.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 128;  // of a head, or of some channels, of a row
// Of the recurrence: a column's elements are shared by neighbouring lanes of a warp.
constexpr int kParts = 8;
constexpr int kColumns = 32;
constexpr int kMixThreads = kParts * kColumns;
constexpr int kRowsAtOnce = 8;  // whose queries and keys are in shared memory

__device__ __forceinline__ int values_per_key(const StateConfig& state) {
  return state.n_value_heads / state.n_key_heads;
}

__device__ __forceinline__ float sigmoid(float x) {
  return 1.0f / (1.0f + expf(-x));
}
__device__ __forceinline__ float softplus(float x) {
  return x > 20.0f ? x : log1pf(expf(x));
}

// What the channel has of a row of the group, or had of one before its first.
__device__ __forceinline__ float channel_at(const RecurrenceStep& step, const Sequence& group, int row, int channel) {
  if (row < 0) return earlier_channel(step, group, row, channel);
  return step.projected[(group.first_row + row) * step.width + step.channels_at + channel];
}

// The channel of row `row` of the step after convolution and SiLU.
__device__ __forceinline__ float convolved(const RecurrenceStep& step, const Sequence& group, int row, int channel) {
  const int first = row - group.first_row - step.state.conv_width + 1;
  float sum = step.conv_bias == nullptr ? 0.0f : step.conv_bias[channel];
  for (int j = 0; j < step.state.conv_width; ++j)
    sum += step.conv[int64_t{j} * channels(step.state) + channel] * channel_at(step, group, first + j, channel);
  return sum * sigmoid(sum);
}

// Head blockIdx.y of a row of a delta net: queries first, then keys, then values.
__global__ void __launch_bounds__(kThreads) convolve_heads_kernel(RecurrenceStep step, RowsView rows) {
  after_earlier_kernels();
  const int length = step.state.key_length;
  const int64_t row = blockIdx.x;
  const int head = static_cast<int>(blockIdx.y);
  const Sequence group = sequence_of(step, rows, rows.groups_of[row]);
  float* out = step.mixed + row * channels(step.state) + head * length;
  float squares = 0.0f;
  for (int d = static_cast<int>(threadIdx.x); d < length; d += kThreads) {
    const float y = convolved(step, group, static_cast<int>(row), head * length + d);
    squares += y * y;
    out[d] = y;
  }
  if (head >= 2 * step.state.n_key_heads) return;
  const float wanted = head < step.state.n_key_heads ? 1.0f / sqrtf(static_cast<float>(length)) : 1.0f;
  const float scale = wanted / sqrtf(block_sum(squares) + step.state.epsilon);
  for (int d = static_cast<int>(threadIdx.x); d < length; d += kThreads) out[d] *= scale;
}

// A channel of row blockIdx.x.
__global__ void __launch_bounds__(kThreads) convolve_channels_kernel(RecurrenceStep step, RowsView rows) {
  after_earlier_kernels();
  const int channel = static_cast<int>(blockIdx.y) * kThreads + static_cast<int>(threadIdx.x);
  if (channel >= channels(step.state)) return;
  const int64_t row = blockIdx.x;
  const Sequence group = sequence_of(step, rows, rows.groups_of[row]);
  step.mixed[row * channels(step.state) + channel] = convolved(step, group, static_cast<int>(row), channel);
}

struct SharedRows {
  float queries[kRowsAtOnce][kMaxStateDim];
  float keys[kRowsAtOnce][kMaxStateDim];
  float decays[kRowsAtOnce];
  float strengths[kRowsAtOnce];
};

// How much of the state a row leaves, and how much of its value (kCorrects: or of what is missing of it) it adds.
template <bool kCorrects>
__device__ __forceinline__ void take_strength(const RecurrenceStep& step, int row, int t, int head, int key_head,
                                              SharedRows& shared) {
  const int per_key = values_per_key(step.state);
  const float* logits = step.projected + row * step.width + step.logits_at;
  const int strength_at = kCorrects && step.in_one_matrix ? 2 * key_head * per_key + head % per_key : head;
  const int decay_at = !kCorrects ? head : strength_at + (step.in_one_matrix ? per_key : step.state.n_value_heads);
  const float time = softplus(logits[decay_at] + step.alpha_bias[head]);
  shared.decays[t] = expf(step.decay[head] * time);
  shared.strengths[t] = kCorrects ? sigmoid(logits[strength_at]) : time;
}

// Rows [first, first + n) of the step, of a value head and its key head; behind a head's elements zeros, `length` in
// all.
template <bool kCorrects>
__device__ __forceinline__ void take_rows(const RecurrenceStep& step, int first, int n, int head, int key_head,
                                          int length, SharedRows& shared) {
  __syncthreads();
  for (int at = static_cast<int>(threadIdx.x); at < n * length; at += kMixThreads) {
    const int t = at / length;
    const int d = at % length;
    const float* row = step.mixed + int64_t{first + t} * channels(step.state) + key_head * step.state.key_length + d;
    shared.queries[t][d] = d < step.state.key_length ? row[step.queries_at] : 0.0f;
    shared.keys[t][d] = d < step.state.key_length ? row[step.keys_at] : 0.0f;
  }
  const int t = static_cast<int>(threadIdx.x);
  if (t < n) take_strength<kCorrects>(step, first + t, t, head, key_head, shared);
  __syncthreads();
}

__device__ __forceinline__ float sum_of_parts(float value) {
#pragma unroll
  for (int lanes = kParts / 2; lanes > 0; lanes /= 2) value += __shfl_xor_sync(kAllLanes, value, lanes);
  return value;
}

// The last rows of some channels, for the next step's convolutions: those of this step have been read.
__device__ __forceinline__ void keep_recent(const RecurrenceStep& step, const Sequence& group, int block,
                                            int n_blocks) {
  const int n_recent = step.state.conv_width - 1;
  for (int channel = block * kMixThreads + static_cast<int>(threadIdx.x); channel < channels(step.state);
       channel += n_blocks * kMixThreads) {
    for (int i = 0; i < n_recent; ++i)
      group.recent[int64_t{i} * channels(step.state) + channel] =
          channel_at(step, group, group.n_rows - n_recent + i, channel);
  }
}

// A block has some columns of the state of one value head of one group: kPer elements of each in a thread. Blocks are
// few, so that each may have the registers it wants. kCorrects: of a delta net.
template <int kPer, bool kCorrects>
__global__ void __launch_bounds__(kMixThreads, 1) recurrence_kernel(RecurrenceStep step, RowsView rows) {
  after_earlier_kernels();
  __shared__ SharedRows shared;
  const StateConfig& state_of = step.state;
  const int head = static_cast<int>(blockIdx.x) % state_of.n_value_heads;
  const Sequence group = sequence_of(step, rows, static_cast<int>(blockIdx.x) / state_of.n_value_heads);
  const int key_head = state_of.neighbours_share ? head / values_per_key(state_of) : head % state_of.n_key_heads;
  const int part = static_cast<int>(threadIdx.x) % kParts;
  const int column = static_cast<int>(blockIdx.y) * kColumns + static_cast<int>(threadIdx.x) / kParts;
  const bool has_column = column < state_of.value_length;
  float* matrix = group.matrices + int64_t{head} * state_of.key_length * step.stride;
  float state[kPer];
#pragma unroll
  for (int e = 0; e < kPer; ++e) {
    const int i = part + e * kParts;
    state[e] =
        group.begins || !has_column || i >= state_of.key_length ? 0.0f : matrix[int64_t{i} * step.stride + column];
  }
#pragma unroll 1
  for (int first = 0; first < group.n_rows; first += kRowsAtOnce) {
    const int n = group.n_rows - first < kRowsAtOnce ? group.n_rows - first : kRowsAtOnce;
    take_rows<kCorrects>(step, group.first_row + first, n, head, key_head, kPer * kParts, shared);
#pragma unroll 1
    for (int t = 0; t < n; ++t) {
      const int64_t row = group.first_row + first + t;
      const int at = step.values_at + head * state_of.value_length + column;
      const float value = has_column ? step.mixed[row * channels(state_of) + at] : 0.0f;
      float known = 0.0f;
#pragma unroll
      for (int e = 0; e < kPer; ++e) {
        state[e] *= shared.decays[t];
        if constexpr (kCorrects) known += shared.keys[t][part + e * kParts] * state[e];
      }
      const float added = shared.strengths[t] * (kCorrects ? value - sum_of_parts(known) : value);
      float found = 0.0f;
#pragma unroll
      for (int e = 0; e < kPer; ++e) {
        state[e] += shared.keys[t][part + e * kParts] * added;
        found += shared.queries[t][part + e * kParts] * state[e];
      }
      found = sum_of_parts(found);
      if constexpr (!kCorrects) found += step.skip[head] * value;
      if (part == 0 && has_column) step.out[row * value_dim(state_of) + head * state_of.value_length + column] = found;
    }
  }
#pragma unroll
  for (int e = 0; e < kPer; ++e) {
    const int i = part + e * kParts;
    if (has_column && i < state_of.key_length) matrix[int64_t{i} * step.stride + column] = state[e];
  }
  keep_recent(step, group, head * static_cast<int>(gridDim.y) + static_cast<int>(blockIdx.y),
              state_of.n_value_heads * static_cast<int>(gridDim.y));
}

// Value head blockIdx.y of a row of a delta net: normed, then gated.
__global__ void __launch_bounds__(kThreads) gated_norm_kernel(RecurrenceStep step) {
  after_earlier_kernels();
  const int length = step.state.value_length;
  const int64_t row = blockIdx.x;
  const int first = static_cast<int>(blockIdx.y) * length;
  float* out = step.out + row * value_dim(step.state) + first;
  const float* gates = step.projected + row * step.width + step.gates_at + first;
  float squares = 0.0f;
  for (int d = static_cast<int>(threadIdx.x); d < length; d += kThreads) squares += out[d] * out[d];
  const float inverse = 1.0f / sqrtf(block_sum(squares) / static_cast<float>(length) + step.state.epsilon);
  for (int d = static_cast<int>(threadIdx.x); d < length; d += kThreads)
    out[d] = out[d] * inverse * step.norm[d] * gates[d] * sigmoid(gates[d]);
}

// The value heads of key head blockIdx.y of a row of Mamba-2: gated, then, where there is a norm, normed together.
__global__ void __launch_bounds__(kThreads) norm_gated_kernel(RecurrenceStep step) {
  after_earlier_kernels();
  const int length = value_dim(step.state) / step.state.n_key_heads;
  const int64_t row = blockIdx.x;
  const int first = static_cast<int>(blockIdx.y) * length;
  float* out = step.out + row * value_dim(step.state) + first;
  const float* gates = step.projected + row * step.width + step.gates_at + first;
  float squares = 0.0f;
  for (int d = static_cast<int>(threadIdx.x); d < length; d += kThreads) {
    out[d] *= gates[d] * sigmoid(gates[d]);
    squares += out[d] * out[d];
  }
  if (step.norm == nullptr) return;
  const float inverse = 1.0f / sqrtf(block_sum(squares) / static_cast<float>(length) + step.state.epsilon);
  for (int d = static_cast<int>(threadIdx.x); d < length; d += kThreads) out[d] *= inverse * step.norm[first + d];
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
cudaError_t run_recurrence(cudaStream_t stream, const RecurrenceStep& step, const RowsView& rows) {
  const int n_tiles = (step.state.value_length + kColumns - 1) / kColumns;
  const dim3 grid(static_cast<unsigned>(step.n_groups * step.state.n_value_heads), static_cast<unsigned>(n_tiles));
  if (step.state.kind == StateKind::kDeltaNet)
    return launch(stream, grid, kMixThreads, 0, recurrence_kernel<kPer, true>, step, rows);
  return launch(stream, grid, kMixThreads, 0, recurrence_kernel<kPer, false>, step, rows);
}

cudaError_t run_recurrence_of_any(cudaStream_t stream, const RecurrenceStep& step, const RowsView& rows) {
  const int dim = step.state.key_length;
  if (dim <= 2 * kParts) return run_recurrence<2>(stream, step, rows);
  if (dim <= 4 * kParts) return run_recurrence<4>(stream, step, rows);
  if (dim <= 8 * kParts) return run_recurrence<8>(stream, step, rows);
  if (dim <= 16 * kParts) return run_recurrence<16>(stream, step, rows);
  return run_recurrence<kMaxStateDim / kParts>(stream, step, rows);
}

}  // namespace

cudaError_t mix_recurrence(cudaStream_t stream, const RecurrenceStep& step, const RowsView& rows) {
  const StateConfig& state = step.state;
  const bool is_delta = state.kind == StateKind::kDeltaNet;
  const auto n_rows = static_cast<unsigned>(rows.n_rows);
  const auto n_keys = static_cast<unsigned>(state.n_key_heads);
  const auto n_values = static_cast<unsigned>(state.n_value_heads);
  const dim3 parts(n_rows, static_cast<unsigned>((state.channels() + kThreads - 1) / kThreads));
  cudaError_t error =
      is_delta ? launch(stream, dim3(n_rows, 2 * n_keys + n_values), kThreads, 0, convolve_heads_kernel, step, rows)
               : launch(stream, parts, kThreads, 0, convolve_channels_kernel, step, rows);
  if (error == cudaSuccess) error = run_recurrence_of_any(stream, step, rows);
  if (error != cudaSuccess) return error;
  return is_delta ? launch(stream, dim3(n_rows, n_values), kThreads, 0, gated_norm_kernel, step)
                  : launch(stream, dim3(n_rows, n_keys), kThreads, 0, norm_gated_kernel, step);
}

cudaError_t take_queries(cudaStream_t stream, const float* q, int n_rows, int width, float* queries) {
  return launch(stream, dim3(static_cast<unsigned>(n_rows)), kThreads, 0, take_queries_kernel, q, width, queries);
}

cudaError_t gate_rows(cudaStream_t stream, const float* q, int n_rows, int width, float* x) {
  return launch(stream, dim3(static_cast<unsigned>(n_rows)), kThreads, 0, gate_kernel, q, width, x);
}

}  // namespace mneme::engine::cuda
