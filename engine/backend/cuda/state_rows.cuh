// Rows of layers that keep a state as kernels see them: a step's groups, and the channels of rows that were before.
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/kv_view.h"
#include "engine/backend/cuda/state_step.h"

namespace mneme::engine::cuda {

// As StateConfig says, which speaks to the host alone.
__device__ __forceinline__ int key_dim(const StateConfig& state) {
  return state.n_key_heads * state.key_length;
}
__device__ __forceinline__ int value_dim(const StateConfig& state) {
  return state.n_value_heads * state.value_length;
}
__device__ __forceinline__ int channels(const StateConfig& state) {
  return 2 * key_dim(state) + value_dim(state);
}

// The rows of a sequence and its state of the layer.
struct Sequence {
  int first_row;
  int n_rows;
  bool begins;
  float* recent;    // (conv_width - 1, channels)
  float* matrices;  // by value heads
};
__device__ __forceinline__ Sequence sequence_of(const StateStep& step, const RowsView& rows, int group) {
  const GroupView& view = rows.groups[group];
  float* const recent = step.states[group] + step.state_place;
  return {view.first_row, view.n_rows, view.n_keys == view.n_rows, recent, recent + step.recent_floats};
}

// What the channel had of a row before the group's first one: -1 is the last of them.
__device__ __forceinline__ float earlier_channel(const StateStep& step, const Sequence& group, int row, int channel) {
  if (group.begins) return 0.0f;
  const int recent = step.state.conv_width - 1 + row;
  return group.recent[int64_t{recent} * channels(step.state) + channel];
}

}  // namespace mneme::engine::cuda
