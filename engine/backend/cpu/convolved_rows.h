// Causal convolutions of the channels of a sequence's rows in one step of a layer that keeps a state
// (engine/model/model_config.h, StateConfig): a row's channels and those of conv_width - 1 rows before it, of which the
// first ones lie in the sequence's state. Threads: as long as no two work on the same channels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/backend/cpu/kernels.h"
#include "engine/model/model_config.h"

namespace mneme::engine::cpu {

struct ConvolvedRows {
  static constexpr int kMostWidth = 16;  // more than any file may ask for (state_reader.cpp)

  const Kernels& kernels;
  const StateConfig& state;
  const float* weights;  // (conv_width, channels), as StateWeights::conv
  const float* bias = nullptr;
  const float* rows;  // channels of the sequence's first row of the step, `stride` floats before the next one's
  int64_t stride;
  int n_rows;
  bool is_beginning;  // of the sequence: what lies before is zero
  float* recent;      // (conv_width - 1, channels), what earlier steps have left, the oldest first

  // Channels of a row; of one before the first, what earlier steps have left.
  const float* row(int i) const {
    if (i >= 0) return rows + i * stride;
    return recent + int64_t{state.conv_width - 1 + i} * state.channels();
  }

  // n channels of a row from `channel` on.
  void convolve(int row_index, int channel, int n, bool silu, float* out) const {
    const float* sources[kMostWidth];
    const int width = state.conv_width;
    const int n_sources = is_beginning ? std::min(width, row_index + 1) : width;
    for (int j = 0; j < n_sources; ++j) sources[j] = row(row_index - n_sources + 1 + j) + channel;
    const int64_t n_channels = state.channels();
    kernels.convolve({.rows = sources,
                      .n_rows = n_sources,
                      .weights = weights + (width - n_sources) * n_channels + channel,
                      .weight_stride = n_channels,
                      .bias = bias == nullptr ? nullptr : bias + channel,
                      .n = n,
                      .silu = silu,
                      .out = out});
  }

  // Keeps n channels of the last rows for the convolutions of the next step. What came before them is lost.
  void keep_recent(int channel, int n) const {
    const int n_recent = state.conv_width - 1;
    for (int i = 0; i < n_recent; ++i) {
      float* const kept = recent + int64_t{i} * state.channels() + channel;
      const int from = n_rows - n_recent + i;
      if (from < 0 && is_beginning) {
        std::fill_n(kept, n, 0.0f);
      } else {
        std::memcpy(kept, row(from) + channel, sizeof(float) * static_cast<size_t>(n));
      }
    }
  }
};

}  // namespace mneme::engine::cpu
