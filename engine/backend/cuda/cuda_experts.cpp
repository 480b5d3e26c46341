#include "engine/backend/cuda/cuda_experts.h"

#include <string_view>

#include "engine/backend/cuda/cuda_casts.h"

namespace mneme::engine::cuda {
namespace {

constexpr std::string_view kMultiplying = "multiplying with experts";
constexpr std::string_view kChoosing = "choosing experts";
constexpr std::string_view kWhat = "experts";

}  // namespace

// One layer's experts on one step's rows.
struct Experts::Step {
  const ModelConfig& config;
  const FeedForwardWeights& weights;
  const int n_rows;
  const bool few;  // every (row, expert) pair is multiplied by itself; else each expert's rows together
  ExpertTable table = {};
  RoundedRows normed = {};
  float* logits = nullptr;  // (rows, experts and the shared one's)
  Routing routing = {};
  int* offsets = nullptr;  // of many rows: where pairs go by their experts (group_by_expert)
  int* rows_of = nullptr;
  int* places = nullptr;
  float* hidden = nullptr;      // (pairs, gate + up)
  float* out = nullptr;         // (pairs, dim)
  float* shared_out = nullptr;  // (rows, dim)

  const ExpertWeights& experts() const { return weights.experts; }
  bool has_shared() const { return weights.down != nullptr && !experts().beside; }
  bool gated() const { return !experts().gate.empty(); }
  int ffn_dim() const { return static_cast<int>(experts().down[0]->n_in); }
  int hidden_width() const { return gated() ? 2 * ffn_dim() : ffn_dim(); }
  int n_pairs() const { return n_rows * experts().n_used; }
  int n_logits() const { return experts().n_experts + (experts().shared_router != nullptr ? 1 : 0); }
};

void Experts::make_room(Step& step) {
  const int n_experts = step.experts().n_experts;
  const int64_t n_pairs = step.n_pairs();
  const auto ints = [&](DeviceBuffer& buffer, int64_t n) {
    return device_.grow(buffer, static_cast<size_t>(n) * sizeof(int), kWhat) ? buffer.as<int>() : nullptr;
  };
  step.logits = device_.grow_floats(logits_, int64_t{step.n_rows} * step.n_logits());
  step.routing = {.n_rows = step.n_rows,
                  .n_experts = n_experts,
                  .n_used = step.experts().n_used,
                  .chosen = ints(chosen_, n_pairs),
                  .weights = device_.grow_floats(weights_, n_pairs)};
  step.hidden = device_.grow_floats(hidden_, n_pairs * step.hidden_width());
  step.out = device_.grow_floats(out_, n_pairs * step.config.dim);
  if (step.has_shared()) step.shared_out = device_.grow_floats(shared_out_, int64_t{step.n_rows} * step.config.dim);
  if (step.few) return;
  step.offsets = ints(places_, n_experts + 1 + 2 * n_pairs);
  if (step.offsets == nullptr) return;
  step.rows_of = step.offsets + n_experts + 1;
  step.places = step.rows_of + n_pairs;
}

// In the forms that the experts, the shared one and the routers take.
void Experts::norm(Step& step, const Activations& x) {
  const FeedForwardWeights& weights = step.weights;
  const ExpertWeights& experts = step.experts();
  const std::initializer_list<const CudaMatrix*> of_experts = {step.gated() ? cast(experts.gate[0]) : nullptr,
                                                               cast(experts.up[0])};
  step.normed = experts.beside
                    ? products_.rows_for_experts(of_experts, step.few, step.n_rows, step.config.dim)
                    : products_.rows_for_experts(of_experts, step.few, step.n_rows, step.config.dim,
                                                 {cast(weights.gate_up), cast(weights.gate), cast(weights.up)});
  const NormWeights& norm = experts.beside ? experts.input_norm : weights.input_norm;
  if (device_.ok())
    device_.check(
        norm_rows(device_.stream(), data_of(x), nullptr, step.n_rows, norm_ref(step.config, norm), step.normed),
        "normalising");
}

// Routers are small and decide much: always in f32.
void Experts::multiply_routers(const Step& step) {
  const CudaMatrix* router = cast(step.experts().router);
  const CudaMatrix* of_shared = cast(step.experts().shared_router);
  const Products::Part parts[] = {{router, step.logits}, {of_shared, step.logits + step.experts().n_experts}};
  const bool quantised = router->is_quantised() || (of_shared != nullptr && of_shared->is_quantised());
  if (step.few && !quantised) return products_.multiply(parts, step.normed, step.n_rows, step.n_logits());
  for (const Products::Part& part : parts) {
    if (part.matrix == nullptr || !device_.ok()) continue;
    device_.check(multiply_tiled(device_.stream(), part.matrix->ref(), step.normed.values, step.n_rows,
                                 {part.y, step.n_logits()}),
                  kChoosing);
  }
}

void Experts::choose(Step& step) {
  const RouterScores scores{.logits = step.logits,
                            .stride = step.n_logits(),
                            .bias = data_or_null(step.experts().router_bias),
                            .choice_bias = data_or_null(step.experts().choice_bias),
                            .scales = data_or_null(step.experts().scales)};
  if (device_.ok())
    device_.check(choose_experts(device_.stream(), scores, step.config.routing, step.routing), kChoosing);
  if (device_.ok() && !step.few)
    device_.check(group_by_expert(device_.stream(), step.routing, step.offsets, step.rows_of, step.places), kChoosing);
}

// All pairs with one of their experts' matrices; x has a row for each pair, or one for each of the step's rows.
void Experts::multiply(const Step& step, const ExpertMatrices& experts, const Matrix& any, const RoundedRows& x,
                       bool x_of_pairs, ProductOut out) {
  if (!device_.ok()) return;
  const MatrixRef& shape = cast(any).ref();
  if (step.few) {
    const ExpertPairs pairs{experts, step.routing.chosen, step.n_pairs(), x_of_pairs ? 1 : step.routing.n_used};
    device_.check(multiply_pairs(device_.stream(), shape, pairs, x, out), kMultiplying);
  } else {
    const ExpertGroups groups{experts, step.routing.n_experts, step.offsets, x_of_pairs ? nullptr : step.rows_of};
    device_.check(multiply_groups(device_.stream(), shape, groups, x.values, step.n_rows, out), kMultiplying);
  }
}

void Experts::multiply_pairs_of(const Step& step) {
  const ExpertWeights& experts = step.experts();
  const int64_t stride = step.hidden_width();
  float* up = step.hidden + (step.gated() ? step.ffn_dim() : 0);
  if (step.gated()) multiply(step, step.table.gate, *experts.gate[0], step.normed, false, {step.hidden, stride});
  multiply(step, step.table.up, *experts.up[0], step.normed, false, {up, stride});
  const RoundedRows rows =
      products_.rows_for_experts({cast(experts.down[0])}, step.few, step.n_pairs(), step.ffn_dim());
  dense_.activate(step.config, {.gate = step.gated() ? step.hidden : nullptr, .up = up, .stride = stride}, rows,
                  step.n_pairs());
  multiply(step, step.table.down, *experts.down[0], rows, true, {step.out, step.config.dim});
}

SharedExpertOut Experts::finish_shared(const Step& step, const FeedForward::Hidden& hidden) {
  const RoundedRows rows = dense_.activated_rows(step.config, step.weights, step.n_rows, hidden);
  products_.multiply(cast(*step.weights.down), rows, step.n_rows, {step.shared_out, step.config.dim});
  const bool weighed = step.experts().shared_router != nullptr;
  return {.product = step.shared_out,
          .row_scales = rows.row_scales,
          .logits = weighed ? step.logits + step.experts().n_experts : nullptr,
          .logit_stride = step.n_logits()};
}

bool Experts::run(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, const Activations& x,
                  float* block) {
  Step step{config, weights, n_rows, n_rows <= kFewRows && !products_.is_exact()};
  make_room(step);
  FeedForward::Hidden shared;
  if (step.has_shared()) shared = dense_.make_room(weights, n_rows, shared_hidden_);
  step.table = tables_.get(weights.experts);
  norm(step, x);
  if (!device_.ok()) return false;
  multiply_routers(step);
  choose(step);
  // Before the rows' forms are those of activations.
  if (step.has_shared()) dense_.multiply_in(config, weights, n_rows, step.normed, shared);
  multiply_pairs_of(step);
  const SharedExpertOut of_shared = step.has_shared() ? finish_shared(step, shared) : SharedExpertOut();
  if (device_.ok())
    device_.check(combine_experts(device_.stream(), step.routing, step.out, step.places, of_shared, config.dim, block),
                  kMultiplying);
  return device_.ok();
}

// The router, in f32 like others, reads a norm of its own.
void Experts::multiply_router_beside(const Step& step, const Activations& x) {
  RoundedRows read;
  read.width = step.config.dim;
  read.values = device_.grow_floats(routed_, int64_t{step.n_rows} * step.config.dim);
  if (!device_.ok()) return;
  device_.check(norm_rows(device_.stream(), data_of(x), nullptr, step.n_rows,
                          norm_ref(step.config, step.experts().router_norm), read),
                "normalising");
  if (device_.ok())
    device_.check(multiply_tiled(device_.stream(), cast(*step.experts().router).ref(), read.values, step.n_rows,
                                 {step.logits, step.n_logits()}),
                  kChoosing);
}

void Experts::multiply_dense_beside(const Step& step, const Activations& x, float* block) {
  const int dim = step.config.dim;
  float* const made = device_.grow_floats(shared_out_, int64_t{step.n_rows} * dim);
  const RoundedRows rows = dense_.hidden_rows(step.config, step.weights, step.n_rows, x);
  if (!device_.ok()) return;
  products_.multiply(cast(*step.weights.down), rows, step.n_rows, {made, dim});
  BlockOut out;
  out.product = made;
  out.row_scales = rows.row_scales;
  out.norm = norm_ref(step.config, step.experts().dense_output_norm);
  out.replaces = true;
  if (device_.ok()) device_.check(add_block(device_.stream(), out, step.n_rows, dim, block), "adding a block");
}

bool Experts::run_beside(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, const Activations& x,
                         float* block) {
  Step step{config, weights, n_rows, n_rows <= kFewRows && !products_.is_exact()};
  make_room(step);
  step.table = tables_.get(weights.experts);
  if (!device_.ok()) return false;
  multiply_dense_beside(step, x, block);
  multiply_router_beside(step, x);
  if (!device_.ok()) return false;
  choose(step);
  norm(step, x);
  multiply_pairs_of(step);
  float* const mixed = shared_out_.as<float>();  // what the dense part made is in the block
  if (device_.ok())
    device_.check(combine_experts(device_.stream(), step.routing, step.out, step.places, {}, config.dim, mixed),
                  kMultiplying);
  BlockOut out;
  out.product = mixed;
  out.norm = norm_ref(config, step.experts().output_norm);
  if (device_.ok()) device_.check(add_block(device_.stream(), out, n_rows, config.dim, block), "adding a block");
  return device_.ok();
}

}  // namespace mneme::engine::cuda
