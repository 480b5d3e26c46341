#include "engine/backend/cpu/cpu_feed_forward.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "engine/backend/cpu/cpu_casts.h"
#include "engine/backend/cpu/expert_choice.h"

namespace mneme::engine::cpu {
namespace {

constexpr size_t kRowsAtOnce = 4;  // that a thread activates at a time

// What makes silu(gate) * up of kSiluClamped: gate sigmoid(1.702 gate) is silu(1.702 gate) / 1.702.
void clamp_gate_and_up(float* gate, float* up, int64_t n) {
  constexpr float kLimit = 7.0f;
  constexpr float kSlope = 1.702f;
  for (int64_t i = 0; i < n; ++i) {
    gate[i] = std::min(gate[i], kLimit) * kSlope;
    up[i] = (std::clamp(up[i], -kLimit, kLimit) + 1.0f) * (1.0f / kSlope);
  }
}

void relu_squared(const float* gate, const float* up, int n, float* out) {
  for (int i = 0; i < n; ++i) {
    const float root = gate[i] < 0.0f ? 0.0f : gate[i];
    out[i] = root * root * (up != nullptr ? up[i] : 1.0f);
  }
}

}  // namespace

ActivationKernel activation_of(const Kernels& kernels, const ModelConfig& config) {
  switch (config.activation) {
    case Activation::kSilu:
    case Activation::kSiluClamped: return kernels.silu;
    case Activation::kGelu: return kernels.gelu;
    case Activation::kGeluTanh: return kernels.gelu_tanh;
    case Activation::kReluSquared: return relu_squared;
  }
  return nullptr;
}

void FeedForward::run(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, const float* normed,
                      ScratchRows& out) {
  if (weights.experts.n_experts == 0) return run_dense(config, weights, n_rows, out);
  const bool shares = weights.down != nullptr;
  if (shares) run_shared_expert(config, weights, n_rows, normed);
  choose_experts(config.routing, weights.experts, n_rows);
  run_experts(config, weights.experts, n_rows, normed, out);
  if (shares) add_shared_expert(config, weights.experts.shared_router != nullptr, n_rows, out);
}

void FeedForward::run_beside(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                             const CpuActivations& x, ScratchRows& out) {
  const ExpertWeights& experts = weights.experts;
  shared_out_.shape(n_rows, config.dim);
  begin_normed(config, weights.input_norm, n_rows, x);
  run_dense(config, weights, n_rows, shared_out_);
  norm_rows(config, experts.dense_output_norm, n_rows, shared_out_.row(0), shared_out_.row(0));
  begin_normed(config, experts.router_norm, n_rows, x);
  choose_experts(config.routing, experts, n_rows);
  run_experts(config, experts, n_rows, begin_normed(config, experts.input_norm, n_rows, x), out);
  norm_rows(config, experts.output_norm, n_rows, out.row(0), out.row(0));
  add_shared_expert(config, false, n_rows, out);
}

void FeedForward::norm_rows(const ModelConfig& config, const NormWeights& norm, int n_rows, const float* from,
                            float* to) {
  const float* const weight = vector_or_null(norm.weight);
  pool_.parallel_for(static_cast<size_t>(n_rows), kRowsAtOnce, [&](int, size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const size_t at = row * static_cast<size_t>(config.dim);
      kernels_.rms_norm(from + at, weight, config.norm_epsilon, config.dim, to + at);
    }
  });
}

// The norm of x's rows in normed_, announced to the multiplier.
const float* FeedForward::begin_normed(const ModelConfig& config, const NormWeights& norm, int n_rows,
                                       const CpuActivations& x) {
  normed_.shape(n_rows, config.dim);
  norm_rows(config, norm, n_rows, x.row(0), normed_.row(0));
  multiplier_.begin({normed_.row(0), config.dim, n_rows, config.dim});
  return normed_.row(0);
}

// Leaves the rows announced to the multiplier as they were.
void FeedForward::run_shared_expert(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                                    const float* normed) {
  shared_out_.shape(n_rows, config.dim);
  shared_weight_.shape(n_rows, 1);
  if (weights.experts.shared_router != nullptr)
    multiplier_.multiply(cast(*weights.experts.shared_router), nullptr, shared_weight_.row(0), shared_weight_.width);
  run_dense(config, weights, n_rows, shared_out_);
  multiplier_.begin({normed, config.dim, n_rows, config.dim});
}

void FeedForward::add_shared_expert(const ModelConfig& config, bool weighed, int n_rows, ScratchRows& out) {
  for (int row = 0; row < n_rows; ++row) {
    const float weight = weighed ? 1.0f / (1.0f + std::exp(-*shared_weight_.row(row))) : 1.0f;
    kernels_.add_scaled(shared_out_.row(row), weight, config.dim, out.row(row));
  }
}

// hidden_ rows hold gate then up (or up alone); the result replaces their first ffn_dim elements.
void FeedForward::activate(const ModelConfig& config, int n_rows, int64_t ffn_dim, bool gated) {
  const auto function = activation_of(kernels_, config);
  pool_.parallel_for(static_cast<size_t>(n_rows), kRowsAtOnce, [&](int, size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      float* gate = hidden_.row(static_cast<int64_t>(row));
      if (config.activation == Activation::kSiluClamped) clamp_gate_and_up(gate, gate + ffn_dim, ffn_dim);
      function(gate, gated ? gate + ffn_dim : nullptr, static_cast<int>(ffn_dim), gate);
    }
  });
}

void FeedForward::run_dense(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                            ScratchRows& out) {
  const bool gated = weights.gate || weights.gate_up;
  const int64_t ffn_dim = weights.down->n_in;
  const CpuMatrix& down = cast(*weights.down);
  if (gated) {
    const GatedProducts products{.gate = &cast(weights.gate_up ? *weights.gate_up : *weights.gate),
                                 .up = &cast(weights.gate_up ? *weights.gate_up : *weights.up),
                                 .first_up_row = weights.gate_up ? ffn_dim : 0,
                                 .width = static_cast<int>(ffn_dim),
                                 .up_bias = weights.gate_up ? nullptr : vector_or_null(weights.up_bias),
                                 .activation = activation_of(kernels_, config)};
    if (Multiplier::can_gate(products, down)) {
      multiplier_.multiply_gated(products);
      return multiplier_.multiply(down, vector_or_null(weights.down_bias), out.row(0), out.width);
    }
  }
  hidden_.shape(n_rows, gated ? 2 * ffn_dim : ffn_dim);
  if (weights.gate_up) {
    multiplier_.multiply(cast(*weights.gate_up), nullptr, hidden_.row(0), hidden_.width);
  } else {
    const Product up{&cast(*weights.up), vector_or_null(weights.up_bias), hidden_.row(0) + (gated ? ffn_dim : 0)};
    const Product both[] = {up, {gated ? &cast(*weights.gate) : nullptr, nullptr, hidden_.row(0)}};
    multiplier_.multiply(std::span(both, gated ? 2 : 1), hidden_.width);
  }
  activate(config, n_rows, ffn_dim, gated);
  multiplier_.begin({hidden_.row(0), hidden_.width, n_rows, static_cast<int>(ffn_dim)});
  multiplier_.multiply(down, vector_or_null(weights.down_bias), out.row(0), out.width);
}

// Sorts the rows by the experts they use.
void FeedForward::choose_experts(const ExpertRouting& routing, const ExpertWeights& experts, int n_rows) {
  hidden_.shape(n_rows, experts.n_experts);
  multiplier_.multiply(cast(*experts.router), vector_or_null(experts.router_bias), hidden_.row(0), hidden_.width);
  expert_uses_.resize(std::max<size_t>(expert_uses_.size(), experts.n_experts));
  for (auto& uses : expert_uses_) uses.clear();
  ExpertChoice choice(routing, experts.n_used);
  const auto n_experts = static_cast<size_t>(experts.n_experts);
  const float* const scales = vector_or_null(experts.scales);
  for (int row = 0; row < n_rows; ++row) {
    for (const auto& [expert, weight] :
         choice.choose({hidden_.row(row), n_experts}, vector_or_null(experts.choice_bias)))
      expert_uses_[expert].push_back({row, scales ? weight * scales[expert] : weight});
  }
}

void FeedForward::run_expert(const ModelConfig& config, const ExpertWeights& experts, int expert, const float* normed,
                             ScratchRows& out) {
  const std::vector<ExpertUse>& uses = expert_uses_[expert];
  const int n_rows = static_cast<int>(uses.size());
  const int64_t ffn_dim = experts.down[expert]->n_in;
  expert_in_.shape(n_rows, config.dim);
  expert_out_.shape(n_rows, config.dim);
  const bool gated = !experts.gate.empty();
  hidden_.shape(n_rows, gated ? 2 * ffn_dim : ffn_dim);
  for (int i = 0; i < n_rows; ++i)
    std::memcpy(expert_in_.row(i), normed + int64_t{uses[i].row} * config.dim, sizeof(float) * config.dim);
  multiplier_.begin({expert_in_.row(0), config.dim, n_rows, config.dim});
  const auto bias = [&](const std::vector<const Activations*>& biases) {
    return biases.empty() ? nullptr : vector_or_null(biases[static_cast<size_t>(expert)]);
  };
  const Product products[] = {
      {&cast(*experts.up[expert]), bias(experts.up_bias), hidden_.row(0) + (gated ? ffn_dim : 0)},
      {gated ? &cast(*experts.gate[expert]) : nullptr, bias(experts.gate_bias), hidden_.row(0)}};
  multiplier_.multiply(std::span(products, gated ? 2 : 1), hidden_.width);
  activate(config, n_rows, ffn_dim, gated);
  multiplier_.begin({hidden_.row(0), hidden_.width, n_rows, static_cast<int>(ffn_dim)});
  multiplier_.multiply(cast(*experts.down[expert]), bias(experts.down_bias), expert_out_.row(0), expert_out_.width);
  for (int i = 0; i < n_rows; ++i)
    kernels_.add_scaled(expert_out_.row(i), uses[i].weight, config.dim, out.row(uses[i].row));
}

void FeedForward::run_experts(const ModelConfig& config, const ExpertWeights& experts, int n_rows, const float* normed,
                              ScratchRows& out) {
  std::fill(out.row(0), out.row(n_rows), 0.0f);
  for (int e = 0; e < experts.n_experts; ++e)
    if (!expert_uses_[e].empty()) run_expert(config, experts, e, normed, out);
}

}  // namespace mneme::engine::cpu
