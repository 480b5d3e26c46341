#include "engine/backend/cuda/cuda_feed_forward.h"

#include <string_view>

#include "engine/backend/cuda/cuda_casts.h"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/row_kernels.h"

namespace mneme::engine::cuda {

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

RoundedRows FeedForward::hidden_rows(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                                     const Activations& x) {
  const int ffn_dim = static_cast<int>(weights.down->n_in);
  const bool gated = weights.gate != nullptr || weights.gate_up != nullptr;
  const int width = gated ? 2 * ffn_dim : ffn_dim;
  float* hidden = device_.grow_floats(hidden_, int64_t{n_rows} * width);
  const RoundedRows normed =
      products_.rows_for({cast(weights.gate_up), cast(weights.gate), cast(weights.up)}, n_rows, config.dim, false);
  if (!device_.ok()) return {};
  const NextWeights ahead =
      products_.next_weights({cast(weights.gate_up), cast(weights.gate), cast(weights.up)}, n_rows);
  device_.check(
      norm_rows(device_.stream(), data_of(x), nullptr, n_rows, norm_ref(config, weights.input_norm), normed, ahead),
      "normalising");
  const float* up_bias = weights.gate_up != nullptr ? nullptr : data_or_null(weights.up_bias);
  const Products::Gated both{.gate = cast(weights.gate_up != nullptr ? weights.gate_up : weights.gate),
                             .up = weights.gate_up != nullptr ? nullptr : cast(weights.up),
                             .up_bias = up_bias,
                             .activation = config.activation};
  if (gated && products_.multiply_gated(both, normed, n_rows, hidden))
    return products_.round({cast(weights.down)}, hidden, n_rows, ffn_dim, true);
  if (weights.gate_up != nullptr) {
    products_.multiply(cast(*weights.gate_up), normed, n_rows, {hidden, width});
  } else {
    const Products::Part parts[] = {{cast(weights.up), hidden + (gated ? ffn_dim : 0)},
                                    {gated ? cast(weights.gate) : nullptr, hidden}};
    products_.multiply(parts, normed, n_rows, width);
  }
  const RoundedRows rows = products_.rows_for({cast(weights.down)}, n_rows, ffn_dim, true);
  activate(
      config,
      {.gate = gated ? hidden : nullptr, .up = hidden + (gated ? ffn_dim : 0), .stride = width, .up_bias = up_bias},
      rows, n_rows, products_.next_weights({cast(weights.down)}, n_rows));
  return rows;
}

// One layer's experts on one step's rows.
struct FeedForward::ExpertStep {
  const ModelConfig& config;
  const ExpertWeights& weights;
  ExpertTable table;
  Routing routing;
  int n_pairs;
  int ffn_dim;
  RoundedRows normed;
  float* hidden;  // (pairs, gate + up)
  float* out;     // (pairs, dim)
  float* block;   // (rows, dim)
};

// Few rows: every (row, expert) pair by itself.
void FeedForward::run_pairs(const ExpertStep& step) {
  const MatrixRef& in = cast(*step.weights.gate[0]).ref();
  const CudaMatrix& down = cast(*step.weights.down[0]);
  constexpr std::string_view kDoing = "multiplying with experts";
  ExpertPairs pairs{step.table.gate, step.routing.chosen, step.n_pairs, step.routing.n_used};
  device_.check(multiply_pairs(device_.stream(), in, pairs, step.normed, {step.hidden, 2 * step.ffn_dim}), kDoing);
  pairs.matrices = step.table.up;
  device_.check(
      multiply_pairs(device_.stream(), in, pairs, step.normed, {step.hidden + step.ffn_dim, 2 * step.ffn_dim}), kDoing);
  const RoundedRows rows = products_.rows_for_experts(down, true, step.n_pairs, step.ffn_dim);
  activate(step.config, {.gate = step.hidden, .up = step.hidden + step.ffn_dim, .stride = 2 * step.ffn_dim}, rows,
           step.n_pairs);
  if (!device_.ok()) return;
  pairs.matrices = step.table.down;
  pairs.pairs_per_row = 1;
  device_.check(multiply_pairs(device_.stream(), down.ref(), pairs, rows, {step.out, step.config.dim}), kDoing);
  device_.check(combine_experts(device_.stream(), step.routing, step.out, nullptr, step.config.dim, step.block),
                kDoing);
}

// Many rows: each expert's rows together.
void FeedForward::run_groups(const ExpertStep& step) {
  const int n_experts = step.routing.n_experts;
  if (!device_.grow(expert_places_, static_cast<size_t>(n_experts + 1 + 2 * step.n_pairs) * sizeof(int), "experts"))
    return;
  auto* offsets = expert_places_.as<int>();
  int* rows_of = offsets + n_experts + 1;
  int* places = rows_of + step.n_pairs;
  constexpr std::string_view kDoing = "multiplying with experts";
  device_.check(group_by_expert(device_.stream(), step.routing, offsets, rows_of, places), kDoing);
  const MatrixRef& in = cast(*step.weights.gate[0]).ref();
  const CudaMatrix& down = cast(*step.weights.down[0]);
  ExpertGroups groups{step.table.gate, n_experts, offsets, rows_of};
  const float* x = step.normed.values;
  const int n_rows = step.routing.n_rows;
  device_.check(multiply_groups(device_.stream(), in, groups, x, n_rows, {step.hidden, 2 * step.ffn_dim}), kDoing);
  groups.matrices = step.table.up;
  device_.check(
      multiply_groups(device_.stream(), in, groups, x, n_rows, {step.hidden + step.ffn_dim, 2 * step.ffn_dim}), kDoing);
  const RoundedRows rows = products_.rows_for_experts(down, false, step.n_pairs, step.ffn_dim);
  activate(step.config, {.gate = step.hidden, .up = step.hidden + step.ffn_dim, .stride = 2 * step.ffn_dim}, rows,
           step.n_pairs);
  if (!device_.ok()) return;
  groups.matrices = step.table.down;
  groups.rows = nullptr;
  device_.check(multiply_groups(device_.stream(), down.ref(), groups, rows.values, n_rows, {step.out, step.config.dim}),
                kDoing);
  device_.check(combine_experts(device_.stream(), step.routing, step.out, places, step.config.dim, step.block), kDoing);
}

bool FeedForward::run_experts(const ModelConfig& config, const FeedForwardWeights& ffn, int n_rows,
                              const Activations& x, float* block) {
  const ExpertWeights& weights = ffn.experts;
  const bool few = n_rows <= kFewRows && !products_.is_exact();
  const CudaMatrix& gate = cast(*weights.gate[0]);
  const int n_pairs = n_rows * weights.n_used;
  const int ffn_dim = static_cast<int>(weights.down[0]->n_in);

  // The router is small and decides much: always in f32.
  const RoundedRows normed = products_.rows_for_experts(gate, few, n_rows, config.dim);
  float* scores = device_.grow_floats(router_, int64_t{n_rows} * weights.n_experts);
  float* weight_of = device_.grow_floats(expert_weights_, n_pairs);
  float* hidden = device_.grow_floats(hidden_, int64_t{n_pairs} * 2 * ffn_dim);
  float* out = device_.grow_floats(expert_out_, int64_t{n_pairs} * config.dim);
  device_.grow(expert_choice_, static_cast<size_t>(n_pairs) * sizeof(int), "experts");
  if (!device_.ok()) return false;
  device_.check(norm_rows(device_.stream(), data_of(x), nullptr, n_rows, norm_ref(config, ffn.input_norm), normed),
                "normalising");
  device_.check(
      multiply_tiled(device_.stream(), cast(*weights.router).ref(), normed.values, n_rows, {scores, weights.n_experts}),
      "choosing experts");
  const Routing routing{n_rows, weights.n_experts, weights.n_used, expert_choice_.as<int>(), weight_of};
  device_.check(choose_experts(device_.stream(), scores, weights.normalise, routing), "choosing experts");
  const ExpertStep step{config, weights, experts_.get(weights), routing, n_pairs, ffn_dim, normed, hidden, out, block};
  if (!device_.ok()) return false;
  few ? run_pairs(step) : run_groups(step);
  return device_.ok();
}

}  // namespace mneme::engine::cuda
