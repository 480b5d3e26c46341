#include "engine/backend/cpu/cpu_short_convolution.h"

#include <algorithm>

#include "engine/backend/cpu/convolved_rows.h"
#include "engine/backend/cpu/cpu_casts.h"
#include "engine/backend/cpu/cpu_kv_cache.h"

namespace mneme::engine::cpu {

namespace {

constexpr int kGatedChannels = 128;  // whole lines of memory, and enough for a thread to be worth waking

}  // namespace

void ShortConvolution::run(const ModelConfig& config, int layer, const StateWeights& weights, const RowSet& rows,
                           CpuActivations& out) {
  const StateConfig& state = config.state;
  projected_.shape(rows.n_rows(), int64_t{3} * state.channels());
  multiplier_.multiply(cast(*weights.in), nullptr, projected_.row(0), projected_.width);
  units_.clear();
  for (const RowGroup& group : rows.groups) {
    const TokenPos first = rows.positions[static_cast<size_t>(group.first_row)];
    static_cast<CpuKvCache&>(*group.cache).states()->move_on(layer, first, group.n_rows);
    for (int channel = 0; channel < state.channels(); channel += kGatedChannels)
      units_.push_back({&group, first == 0, channel});
  }
  const float* const kernel = cast(*weights.conv).row(0);
  pool_.parallel_for(units_.size(), 1, [&](int, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) run_unit(state, layer, kernel, units_[i], out);
  });
}

void ShortConvolution::run_unit(const StateConfig& state, int layer, const float* weights, const Unit& unit,
                                CpuActivations& out) {
  const int n_channels = state.channels();
  const int n = std::min(kGatedChannels, n_channels - unit.channel);
  const RowGroup& group = *unit.group;
  for (int row = group.first_row; row < group.first_row + group.n_rows; ++row) {
    float* const gate = projected_.row(row) + unit.channel;
    const float* const gated = gate + int64_t{2} * n_channels;
    for (int i = 0; i < n; ++i) gate[i] *= gated[i];
  }
  LayerStates& states = *static_cast<CpuKvCache&>(*group.cache).states();
  const ConvolvedRows channels{.kernels = kernels_,
                               .state = state,
                               .weights = weights,
                               .rows = projected_.row(group.first_row),
                               .stride = projected_.width,
                               .n_rows = group.n_rows,
                               .is_beginning = unit.is_beginning,
                               .recent = states.recent_rows(layer)};
  for (int i = 0; i < group.n_rows; ++i) {
    float* const mixed = out.row(group.first_row + i) + unit.channel;
    channels.convolve(i, unit.channel, n, false, mixed);
    const float* const gate = channels.row(i) + n_channels + unit.channel;
    for (int c = 0; c < n; ++c) mixed[c] *= gate[c];
  }
  channels.keep_recent(unit.channel, n);
  ThreadPool::read_some();
}

}  // namespace mneme::engine::cpu
