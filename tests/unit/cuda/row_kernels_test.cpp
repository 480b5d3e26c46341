// Norms and residual sums of rows of every width that their kernels tell apart, against plain double arithmetic. The
// kernels run on the pretended device, whose memory is the host's.
#include "engine/backend/cuda/row_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/f16.h"
#include "base/random.h"

namespace mneme::engine::cuda {
namespace {

// Part of a warp, whole warps, all threads; more elements a thread, held and not.
constexpr int kWidths[] = {1, 50, 64, 1536, 4096, 4100, 5376, 8224};

std::vector<float> gaussians(size_t n, Random& random, float size = 1.0f) {
  std::vector<float> values(n);
  for (float& x : values) x = size * random.gaussian();
  return values;
}

struct TestNorm {
  std::vector<float> weight, bias;
  NormRef ref;
  TestNorm(NormKind kind, bool biased, int width, Random& random)
      : weight(gaussians(static_cast<size_t>(width), random)), bias(gaussians(static_cast<size_t>(width), random)) {
    ref = {weight.data(), biased ? bias.data() : nullptr, kind, 1e-5f};
  }
  std::vector<double> of(const std::vector<double>& row) const {
    const auto n = static_cast<double>(row.size());
    double mean = 0;
    if (ref.kind == NormKind::kLayer)
      for (const double x : row) mean += x / n;
    double squares = 0;
    for (const double x : row) squares += (x - mean) * (x - mean) / n;
    std::vector<double> out(row.size());
    for (size_t i = 0; i < row.size(); ++i)
      out[i] = (row[i] - mean) / std::sqrt(squares + 1e-5) * weight[i] + (ref.bias != nullptr ? bias[i] : 0.0f);
    return out;
  }
};

TEST(RowKernels, NormsOfEveryWidthChosenRowsAndInPlace) {
  Random random(1);
  for (const int width : kWidths)
    for (const NormKind kind : {NormKind::kRms, NormKind::kLayer}) {
      const auto n = static_cast<size_t>(width);
      const TestNorm norm(kind, kind == NormKind::kLayer, width, random);
      std::vector<float> x = gaussians(3 * n, random, 3.0f);
      const int rows[] = {2, 0};
      std::vector<float> out(2 * n, NAN);
      RoundedRows to{.width = width, .values = out.data()};
      ASSERT_EQ(norm_rows(nullptr, x.data(), rows, 2, norm.ref, to), cudaSuccess);
      std::vector<double> expected[2];
      for (size_t r = 0; r < 2; ++r) {
        const auto first = x.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(rows[r]) * n);
        expected[r] = norm.of({first, first + width});
        for (size_t i = 0; i < n; ++i) ASSERT_NEAR(out[r * n + i], expected[r][i], 2e-5) << width << " " << i;
      }
      to.values = x.data();
      ASSERT_EQ(norm_rows(nullptr, x.data(), nullptr, 3, norm.ref, to), cudaSuccess);
      for (size_t i = 0; i < n; ++i) ASSERT_EQ(x[i], out[n + i]) << "in place, " << width;
    }
}

TEST(RowKernels, NormedRowsAreRoundedInOneGo) {
  Random random(2);
  for (const int width : {64, 4096, 5376, 8224}) {
    const auto n = static_cast<size_t>(width);
    const TestNorm norm(NormKind::kRms, false, width, random);
    const std::vector<float> x = gaussians(n, random);
    std::vector<float> values(n, NAN), scales(n / kRoundBlock, NAN), sums(n / kSumBlock, NAN);
    std::vector<int8_t> codes(n);
    RoundedRows to{.width = width, .values = values.data()};
    to.codes = codes.data();
    to.scales = scales.data();
    to.sums = sums.data();
    ASSERT_EQ(norm_rows(nullptr, x.data(), nullptr, 1, norm.ref, to), cudaSuccess);
    for (size_t i = 0; i < n; ++i)
      ASSERT_NEAR(codes[i] * scales[i / kRoundBlock], values[i], scales[i / kRoundBlock] * 0.5001f) << i;
    for (size_t block = 0; block < sums.size(); ++block) {
      int sum = 0;
      for (size_t i = 0; i < kSumBlock; ++i) sum += codes[block * kSumBlock + i];
      ASSERT_FLOAT_EQ(sums[block], scales[block / 2] * static_cast<float>(sum));
    }
  }
}

// Each byte once, whatever the sizes, and the rows come out as without.
TEST(RowKernels, NormsAndActivationsAskForTheWeightsBehindThem) {
  Random random(4);
  constexpr int kWidth = 64;
  const TestNorm norm(NormKind::kRms, false, kWidth, random);
  const std::vector<float> x = gaussians(2 * kWidth, random);
  const std::vector<std::byte> weights(3'000'000);
  for (const std::vector<int64_t>& bytes :
       {std::vector<int64_t>{16, 0, 0}, {8192, 8208, 16}, {2'999'984, 32, 0}, {1'000'000, 2'000'000, 2'500'000}}) {
    NextWeights ahead;
    for (size_t part = 0; part < bytes.size(); ++part) {
      ahead.parts[part] = weights.data() + (weights.size() - static_cast<size_t>(bytes[part]));
      ahead.bytes[part] = bytes[part];
    }
    const int64_t all = bytes[0] + bytes[1] + bytes[2];
    std::vector<float> with(2 * kWidth, NAN), without(2 * kWidth, NAN);
    ASSERT_EQ(norm_rows(nullptr, x.data(), nullptr, 2, norm.ref, {.width = kWidth, .values = without.data()}),
              cudaSuccess);
    int64_t before = simt::bytes_asked_for;
    ASSERT_EQ(norm_rows(nullptr, x.data(), nullptr, 2, norm.ref, {.width = kWidth, .values = with.data()}, ahead),
              cudaSuccess);
    EXPECT_EQ(simt::bytes_asked_for - before, all);
    EXPECT_EQ(with, without);
    before = simt::bytes_asked_for;
    const GatedRows rows{.up = x.data(), .stride = kWidth};
    ASSERT_EQ(activate_rows(nullptr, rows, 2, {.width = kWidth, .values = with.data()}, ahead), cudaSuccess);
    EXPECT_EQ(simt::bytes_asked_for - before, all);
  }
}

TEST(RowKernels, BlocksAreAddedPlainNormedAndAsPostNormEncodersDo) {
  Random random(3);
  for (const int width : kWidths)
    for (const int form : {0, 1, 2}) {  // x + b, x + norm(b), norm(x + b)
      const auto n = static_cast<size_t>(width);
      const TestNorm norm(form == 2 ? NormKind::kLayer : NormKind::kRms, form == 2, width, random);
      const std::vector<float> product = gaussians(2 * n, random), bias = gaussians(n, random);
      const float row_scales[] = {1.0f, 4.0f};
      const std::vector<float> before = gaussians(2 * n, random);
      std::vector<float> x = before;
      const BlockOut block{.product = product.data(),
                           .row_scales = row_scales,
                           .bias = bias.data(),
                           .norm = form == 0 ? NormRef{} : norm.ref,
                           .after_residual = form == 2};
      ASSERT_EQ(add_block(nullptr, block, 2, width, x.data()), cudaSuccess);
      for (size_t r = 0; r < 2; ++r) {
        std::vector<double> row(n);
        for (size_t i = 0; i < n; ++i)
          row[i] = double{product[r * n + i]} * row_scales[r] + bias[i] + (form == 2 ? before[r * n + i] : 0.0f);
        if (form > 0) row = norm.of(row);
        for (size_t i = 0; i < n; ++i)
          ASSERT_NEAR(x[r * n + i], row[i] + (form == 2 ? 0.0f : before[r * n + i]), 3e-5) << width << " " << form;
      }
    }
}

// A prefill's activations: in vectors where widths and places allow it, by single elements where not, the same numbers.
TEST(RowKernels, ActivationsInVectorsAndOneByOne) {
  Random random(4);
  for (const int width : {8, 12, 50, 1024, 1500, 2052})
    for (const bool gated : {true, false})
      for (const HalfKind kind : {HalfKind::kF16, HalfKind::kBf16}) {
        constexpr int kRows = 3;
        const int stride = 2 * width;
        const std::vector<float> x = gaussians(static_cast<size_t>(kRows * stride), random, 2.0f);
        const std::vector<float> bias = gaussians(static_cast<size_t>(width), random);
        GatedRows in{.gate = gated ? x.data() : nullptr, .up = x.data() + width, .stride = stride};
        in.up_bias = bias.data();
        const int half_stride = (width + 7) / 8 * 8;
        std::vector<float> values(static_cast<size_t>(kRows * width), NAN);
        std::vector<uint16_t> halves(static_cast<size_t>(kRows * half_stride));
        RoundedRows out{.width = width, .values = values.data()};
        out.halves = halves.data();
        out.half_stride = half_stride;
        out.half_kind = kind;
        ASSERT_EQ(activate_rows(nullptr, in, kRows, out), cudaSuccess);
        for (int row = 0; row < kRows; ++row)
          for (int i = 0; i < width; ++i) {
            const auto at = [&](int column) { return double{x[static_cast<size_t>(row * stride + column)]}; };
            const double up = at(width + i) + bias[static_cast<size_t>(i)];
            const double gate = gated ? at(i) : up;
            const double expected = gate / (1.0 + std::exp(-gate)) * (gated ? up : 1.0);
            const float value = values[static_cast<size_t>(row * width + i)];
            ASSERT_NEAR(value, expected, 1e-5 * (1.0 + std::abs(expected))) << width << " " << i;
            const uint16_t bits = halves[static_cast<size_t>(row * half_stride + i)];
            ASSERT_EQ(bits, kind == HalfKind::kF16 ? to_f16(value).bits : to_bf16(value).bits) << width << " " << i;
          }
      }
}

// gpt-oss: both are cut off, the gate above alone.
TEST(RowKernels, GatesAreClampedAndWhatIsNoNumberStaysNone) {
  for (const int width : {8, 9}) {  // in vectors and one by one
    const std::vector<float> of_gate = {-90.0f, -7.5f, -1.0f, 0.0f, 0.5f, 6.9f, 7.5f, NAN, 3.0f};
    const std::vector<float> of_up = {0.5f, -7.5f, -9.0f, 1.0f, 7.5f, 90.0f, -1.0f, 1.0f, NAN};
    const auto n = static_cast<size_t>(width);
    std::vector<float> x(of_gate.begin(), of_gate.begin() + width);
    x.insert(x.end(), of_up.begin(), of_up.begin() + width);
    std::vector<float> out(n, 0.0f);
    const GatedRows in{
        .gate = x.data(), .up = x.data() + width, .stride = 2 * width, .activation = Activation::kSiluClamped};
    ASSERT_EQ(activate_rows(nullptr, in, 1, {.width = width, .values = out.data()}), cudaSuccess);
    for (size_t i = 0; i < n; ++i) {
      const double gate = of_gate[i] > 7 ? 7.0 : of_gate[i];
      const double up = of_up[i] > 7 ? 7.0 : of_up[i] < -7 ? -7.0 : of_up[i];
      const double expected = gate / (1.0 + std::exp(-1.702 * gate)) * (up + 1.0);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(out[i])) << i;
      } else {
        EXPECT_NEAR(out[i], expected, 1e-5) << i;
      }
    }
  }
}

}  // namespace
}  // namespace mneme::engine::cuda
