// Layers with experts of every kind that models have, on the device and on the processor: the same rows within
// rounding, multiplied pair by pair and in groups.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/gguf/dequantize.h"
#include "engine/gguf/quantize.h"
#include "tests/support/loaded_model.h"
#include "tests/support/parameter_names.h"

namespace mneme::testing {
namespace {

using engine::Activation;
using engine::Activations;
using engine::Backend;
using engine::ExpertRouting;
using engine::Matrix;
using engine::TokenId;
using gguf::TensorType;

constexpr int kDim = 96;
constexpr int kFfnDim = 64;
constexpr int kMostRows = 70;

struct LayerCase {
  std::string name;
  TensorType type = TensorType::kF32;  // of experts; routers are F32
  int n_experts = 8;
  int n_used = 3;
  bool gated = true;
  bool biased = false;     // router and experts
  int shared_dim = 0;      // 0: none
  bool weighed = false;    // the shared one has a router
  bool post_norm = false;  // as encoders have it
  Activation activation = Activation::kSilu;
  ExpertRouting routing = {};

  bool is_quantised() const { return gguf::tensor_type_info(type)->block_elements > 1; }
  double tolerance() const {
    const TestDevice& device = test_device();
    if (type == TensorType::kF32) return device.pass_tolerance;
    return type == TensorType::kBF16 ? device.bf16_tolerance : device.f16_tolerance;
  }
};
void PrintTo(const LayerCase& layer, std::ostream* out) {
  *out << layer.name;
}

// The layer's weights on a backend, the same numbers for the same case.
class Layer {
 public:
  // dequantised: as F32.
  Layer(Backend& backend, const LayerCase& what, bool dequantised)
      : backend_(backend), what_(what), dequantised_(dequantised) {
    config.dim = kDim;
    config.activation = what.activation;
    config.n_experts = what.n_experts;
    config.n_experts_used = what.n_used;
    config.gated_experts = what.gated;
    config.routing = what.routing;
    weights.norm_after_residual = what.post_norm;
    engine::FeedForwardWeights& ffn = weights.feed_forward;
    (what.post_norm ? ffn.output_norm : ffn.input_norm).weight = vector(kDim, 1.0f);
    add_experts(ffn.experts);
    if (what.shared_dim == 0) return;
    ffn.gate = matrix(what.shared_dim, kDim);
    ffn.up = matrix(what.shared_dim, kDim);
    ffn.down = matrix(kDim, what.shared_dim);
    if (what.weighed) ffn.experts.shared_router = matrix(1, kDim, TensorType::kF32);
  }

  // What a step of these rows, (n_rows, kDim), becomes.
  std::vector<float> run(const std::vector<float>& rows, int n_rows) {
    const auto table = backend_.load_matrix({.name = "rows",
                                             .n_out = n_rows,
                                             .n_in = kDim,
                                             .bytes = std::as_bytes(std::span(rows)),
                                             .use = engine::MatrixUse::kLookup});
    const auto x = backend_.make_activations(n_rows, kDim);
    EXPECT_TRUE(table.ok() && x.ok());
    std::vector<TokenId> ids(static_cast<size_t>(n_rows));
    std::iota(ids.begin(), ids.end(), 0);
    backend_.embed(**table, ids, 1.0f, **x);
    backend_.feed_forward(config, weights, n_rows, **x);
    std::vector<float> out(static_cast<size_t>(n_rows) * kDim);
    const Status status = backend_.read(**x, n_rows, out);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }

  engine::ModelConfig config;
  engine::LayerWeights weights;

 private:
  void add_experts(engine::ExpertWeights& experts) {
    experts.n_experts = what_.n_experts;
    experts.n_used = what_.n_used;
    experts.router = matrix(what_.n_experts, kDim, TensorType::kF32);
    if (what_.routing.choice_bias) experts.choice_bias = vector(what_.n_experts);
    if (what_.biased) experts.router_bias = vector(what_.n_experts);
    for (int e = 0; e < what_.n_experts; ++e) {
      if (what_.gated) experts.gate.push_back(matrix(kFfnDim, kDim));
      experts.up.push_back(matrix(kFfnDim, kDim));
      experts.down.push_back(matrix(kDim, kFfnDim));
      if (!what_.biased) continue;
      experts.gate_bias.push_back(vector(kFfnDim));
      experts.up_bias.push_back(vector(kFfnDim));
      experts.down_bias.push_back(vector(kDim));
    }
  }

  std::vector<float> numbers(int64_t n, float mean, float deviation) {
    std::vector<float> values(static_cast<size_t>(n));
    for (float& x : values) x = mean + deviation * random_.gaussian();
    return values;
  }
  const Matrix* matrix(int n_out, int n_in) { return matrix(n_out, n_in, what_.type); }
  const Matrix* matrix(int n_out, int n_in, TensorType type) {
    const float deviation = 2.0f / std::sqrt(static_cast<float>(n_in));
    const std::vector<float> source = numbers(int64_t{n_out} * n_in, 0.0f, deviation);
    auto& bytes = *bytes_.emplace_back(
        std::make_unique<std::vector<std::byte>>(gguf::quantize(type, source.data(), n_out, n_in)));
    if (dequantised_) {
      std::vector<float> values(source.size());
      for (int row = 0; row < n_out; ++row)
        gguf::dequantize_row(type, bytes.data() + row * gguf::row_bytes(type, n_in), n_in,
                             values.data() + int64_t{row} * n_in);
      const auto as_f32 = std::as_bytes(std::span(values));
      bytes.assign(as_f32.begin(), as_f32.end());
      type = TensorType::kF32;
    }
    auto loaded = backend_.load_matrix({.name = "weights", .type = type, .n_out = n_out, .n_in = n_in, .bytes = bytes});
    EXPECT_TRUE(loaded.ok()) << loaded.status().message();
    return matrices_.emplace_back(std::move(*loaded)).get();
  }
  const Activations* vector(int n, float mean = 0.0f) {
    const std::vector<float> values = numbers(n, mean, 0.5f);
    auto loaded = backend_.load_vector({.name = "vector", .n_in = n, .bytes = std::as_bytes(std::span(values))});
    EXPECT_TRUE(loaded.ok()) << loaded.status().message();
    return vectors_.emplace_back(std::move(*loaded)).get();
  }

  Backend& backend_;
  const LayerCase& what_;
  const bool dequantised_;
  Random random_{17};
  std::vector<std::unique_ptr<std::vector<std::byte>>> bytes_;
  std::vector<std::unique_ptr<Matrix>> matrices_;
  std::vector<std::unique_ptr<Activations>> vectors_;
};

class ExpertLayers : public ::testing::TestWithParam<LayerCase> {};

TEST_P(ExpertLayers, AreThoseOfTheProcessor) {
  const LayerCase& what = GetParam();
  const auto device = open_test_backend(1);
  ASSERT_NE(device, nullptr);
  const auto processor = engine::make_cpu_backend(1);
  Layer on_device(*device, what, false);
  Layer on_processor(*processor, what, false);
  Layer unrounded(*processor, what, true);
  Random random(18);
  std::vector<float> rows(size_t{kMostRows} * kDim);
  for (float& x : rows) x = random.gaussian();
  for (const int n_rows : {1, 3, 8, 9, kMostRows}) {
    // Both round the activations of few rows to int8 for quantised weights, and what is between two codes may go to
    // either; of more rows, and in the exact mode, the device rounds none.
    const bool by_codes = what.is_quantised() && n_rows <= 8 && !engine::cuda::default_cuda_options(0).exact;
    const std::vector<float> got = on_device.run(rows, n_rows);
    const std::vector<float> expected = (by_codes ? on_processor : unrounded).run(rows, n_rows);
    const std::vector<double> wanted(expected.begin(), expected.end());
    EXPECT_LE(relative_error(got.data(), wanted), by_codes ? 3e-2 : what.tolerance()) << n_rows << " rows";
  }
}

constexpr ExpertRouting kInGroups{
    .sigmoid = true, .scale = 2.5f, .choice_bias = true, .n_groups = 4, .n_groups_used = 2};

INSTANTIATE_TEST_SUITE_P(
    Experts, ExpertLayers,
    ::testing::Values(
        LayerCase{.name = "plain"}, LayerCase{.name = "plain quantised", .type = TensorType::kQ8_0},
        LayerCase{.name = "all of two", .n_experts = 2, .n_used = 2},
        LayerCase{.name = "one", .n_experts = 1, .n_used = 1},
        LayerCase{.name = "not normalised", .routing = {.normalise = false}},
        LayerCase{.name = "sigmoids in groups", .n_experts = 16, .routing = kInGroups},
        LayerCase{.name = "shared", .shared_dim = 160, .routing = kInGroups},
        LayerCase{.name = "shared and weighed", .shared_dim = 160, .weighed = true, .routing = {.normalise = false}},
        LayerCase{.name = "shared quantised", .type = TensorType::kQ8_0, .shared_dim = 160, .weighed = true},
        LayerCase{.name = "shared BF16", .type = TensorType::kBF16, .shared_dim = 160, .weighed = true},
        LayerCase{.name = "not gated", .gated = false, .post_norm = true, .activation = Activation::kGelu},
        LayerCase{
            .name = "not gated quantised", .type = TensorType::kQ8_0, .gated = false, .activation = Activation::kGelu},
        LayerCase{.name = "biased and clamped", .biased = true, .activation = Activation::kSiluClamped},
        LayerCase{.name = "gpt-oss",
                  .type = TensorType::kMXFP4,
                  .n_experts = 32,
                  .n_used = 4,
                  .biased = true,
                  .activation = Activation::kSiluClamped}),
    mneme::testing::parameter_name<ExpertLayers::ParamType>);

}  // namespace
}  // namespace mneme::testing
