#include "engine/backend/cuda/cuda_feed_forward.h"

#include "engine/backend/cuda/cuda_casts.h"

namespace mneme::engine::cuda {
namespace {

// A fused matrix has none.
const float* up_bias_of(const FeedForwardWeights& weights) {
  return weights.gate_up != nullptr ? nullptr : data_or_null(weights.up_bias);
}

}  // namespace

void FeedForward::activate(const ModelConfig& config, const GatedRows& in, const RoundedRows& rows, int n_rows,
                           const NextWeights& ahead) {
  GatedRows gated = in;
  gated.activation = config.activation;
  RoundedRows first_pass = rows;
  if (rows.row_scales != nullptr) first_pass.halves = nullptr;  // their scale is known when the row is
  if (device_.ok())
    device_.check(activate_rows(device_.stream(), gated, n_rows, first_pass, ahead), "computing activations");
  products_.finish_scaled(rows, n_rows);
}

FeedForward::Hidden FeedForward::make_room(const FeedForwardWeights& weights, int n_rows, DeviceBuffer& buffer) {
  Hidden hidden;
  hidden.ffn_dim = static_cast<int>(weights.down->n_in);
  hidden.gated = weights.gate != nullptr || weights.gate_up != nullptr;
  hidden.rows = device_.grow_floats(buffer, int64_t{n_rows} * hidden.width());
  return hidden;
}

void FeedForward::multiply_in(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                              const RoundedRows& normed, Hidden& hidden) {
  const Products::Gated both{.gate = cast(weights.gate_up != nullptr ? weights.gate_up : weights.gate),
                             .up = weights.gate_up != nullptr ? nullptr : cast(weights.up),
                             .up_bias = up_bias_of(weights),
                             .activation = config.activation};
  if (hidden.gated) hidden.rounded = products_.multiply_gated(both, normed, cast(*weights.down));
  if (hidden.rounded.codes != nullptr || !device_.ok()) return;
  hidden.activated = hidden.gated && products_.multiply_gated(both, normed, n_rows, hidden.rows);
  if (hidden.activated) return;
  if (weights.gate_up != nullptr)
    return products_.multiply(cast(*weights.gate_up), normed, n_rows, {hidden.rows, hidden.width()});
  // In the order in which they may lie side by side.
  const Products::Part parts[] = {{hidden.gated ? cast(weights.gate) : nullptr, hidden.rows},
                                  {cast(weights.up), hidden.rows + (hidden.gated ? hidden.ffn_dim : 0)}};
  products_.multiply(parts, normed, n_rows, hidden.width());
}

RoundedRows FeedForward::activated_rows(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                                        const Hidden& hidden) {
  if (hidden.rounded.codes != nullptr) return hidden.rounded;
  if (hidden.activated) return products_.round({cast(weights.down)}, hidden.rows, n_rows, hidden.ffn_dim, true);
  const RoundedRows rows = products_.rows_for({cast(weights.down)}, n_rows, hidden.ffn_dim, true);
  const GatedRows in{.gate = hidden.gated ? hidden.rows : nullptr,
                     .up = hidden.rows + (hidden.gated ? hidden.ffn_dim : 0),
                     .stride = hidden.width(),
                     .up_bias = up_bias_of(weights)};
  activate(config, in, rows, n_rows, products_.next_weights({cast(weights.down)}, n_rows));
  return rows;
}

RoundedRows FeedForward::hidden_rows(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                                     const Activations& x) {
  Hidden hidden = make_room(weights, n_rows, hidden_);
  const RoundedRows normed = products_.norm(
      {cast(weights.gate_up), cast(weights.gate), cast(weights.up)},
      {.x = data_of(x), .n_rows = n_rows, .width = config.dim, .norm = norm_ref(config, weights.input_norm)});
  if (!device_.ok()) return {};
  multiply_in(config, weights, n_rows, normed, hidden);
  return activated_rows(config, weights, n_rows, hidden);
}

}  // namespace mneme::engine::cuda
