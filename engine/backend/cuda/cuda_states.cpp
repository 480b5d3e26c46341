#include "engine/backend/cuda/cuda_states.h"

#include "engine/backend/cuda/convolution_kernels.h"
#include "engine/backend/cuda/cuda_casts.h"
#include "engine/backend/cuda/cuda_kv_cache.h"
#include "engine/backend/cuda/cuda_objects.h"
#include "engine/backend/cuda/row_kernels.h"

namespace mneme::engine::cuda {

// The products of a delta net, and what the kernels behind them take of it; false: it failed.
bool StateMixer::multiply_delta(const ModelConfig& config, const LayerWeights& weights, int n_rows,
                                const Activations& x, RecurrenceStep& step) {
  const StateWeights& w = weights.state;
  const StateConfig& delta = config.state;
  const int logits = delta.channels() + delta.value_dim();
  step.width = logits + 2 * delta.n_value_heads;
  float* projected = device_.grow_floats(projected_, int64_t{n_rows} * step.width);
  step.mixed = device_.grow_floats(convolved_, int64_t{n_rows} * delta.channels());
  if (projected == nullptr || step.mixed == nullptr) return false;
  // Normed by itself: these are more matrices than one launch takes.
  const RoundedRows rows = products_.rows_for(
      {cast(w.qkv), cast(w.gate), cast(w.beta), cast(w.alpha), cast(w.beta_alpha)}, n_rows, config.dim, false);
  if (!device_.ok()) return false;
  device_.check(norm_rows(device_.stream(), data_of(x), nullptr, n_rows, norm_ref(config, weights.attention.input_norm),
                          rows, products_.next_weights({cast(w.qkv), cast(w.gate)}, n_rows)),
                "normalising");
  const Products::Part large[] = {{cast(w.qkv), projected}, {cast(w.gate), projected + delta.channels()}};
  const Products::Part small[] = {{cast(w.beta), projected + logits},
                                  {cast(w.alpha), projected + logits + delta.n_value_heads},
                                  {cast(w.beta_alpha), projected + logits}};
  products_.multiply(large, rows, n_rows, step.width);
  products_.multiply(small, rows, n_rows, step.width);
  step.in_one_matrix = w.beta_alpha != nullptr;
  step.projected = projected;
  step.gates_at = delta.channels();
  step.logits_at = logits;
  return device_.ok();
}

// The same of layers whose products are one.
bool StateMixer::multiply_in_one(const ModelConfig& config, const LayerWeights& weights, int n_rows,
                                 const Activations& x, StateStep& step) {
  const CudaMatrix& in = cast(*weights.state.in);
  step.width = in.n_out;
  float* projected = device_.grow_floats(projected_, int64_t{n_rows} * step.width);
  if (projected == nullptr) return false;
  const RoundedRows rows = products_.norm(
      {&in},
      {.x = data_of(x), .n_rows = n_rows, .width = config.dim, .norm = norm_ref(config, weights.attention.input_norm)});
  if (!device_.ok()) return false;
  products_.multiply(in, rows, n_rows, {projected, static_cast<int>(step.width)});
  step.projected = projected;
  return device_.ok();
}

bool StateMixer::multiply_mamba(const ModelConfig& config, const LayerWeights& weights, int n_rows,
                                const Activations& x, RecurrenceStep& step) {
  step.mixed = device_.grow_floats(convolved_, int64_t{n_rows} * config.state.channels());
  step.channels_at = config.state.value_dim();
  step.logits_at = config.state.value_dim() + config.state.channels();
  return step.mixed != nullptr && multiply_in_one(config, weights, n_rows, x, step);
}

// Moves the states of the rows' sequences on, and says where they lie.
RowsView StateMixer::move_on(const ModelConfig& config, int layer, const RowSet& rows, StateStep& step) {
  step.state = config.state;
  for (const RowGroup& group : rows.groups) {
    if (group.n_rows == 0) continue;
    LayerStates& states = *static_cast<CudaKvCache&>(*group.cache).states();
    states.move_on(layer, rows.positions[static_cast<size_t>(group.first_row)], group.n_rows);
    ++step.n_groups;
    step.state_place = states.place(layer);
    step.recent_floats = states.recent_floats();
    step.stride = states.stride();
  }
  const RowsView view = step_rows_.view(rows);
  step.states = step_rows_.states(rows);
  return view;
}

void StateMixer::mix(const ModelConfig& config, int layer, const LayerWeights& weights, const RowSet& rows,
                     const Activations& x, Activations& out) {
  const StateWeights& w = weights.state;
  const StateKind kind = config.state.kind;
  RecurrenceStep step;
  const bool multiplied = kind == StateKind::kDeltaNet ? multiply_delta(config, weights, rows.n_rows(), x, step)
                          : kind == StateKind::kMamba  ? multiply_mamba(config, weights, rows.n_rows(), x, step)
                                                       : multiply_in_one(config, weights, rows.n_rows(), x, step);
  if (!multiplied) return;
  step.values_at = config.state.values_at();
  step.keys_at = config.state.keys_at();
  step.queries_at = config.state.queries_at();
  step.conv = data_of(*w.conv);
  step.conv_bias = data_or_null(w.conv_bias);
  step.decay = data_or_null(w.decay);
  step.alpha_bias = data_or_null(w.alpha_bias);
  step.skip = data_or_null(w.skip);
  step.norm = data_or_null(w.norm);
  step.out = data_of(out);
  const RowsView view = move_on(config, layer, rows, step);
  if (!device_.ok()) return;
  device_.check(kind == StateKind::kConvolution ? mix_convolution(device_.stream(), step, view)
                                                : mix_recurrence(device_.stream(), step, view),
                "mixing states");
}

}  // namespace mneme::engine::cuda
