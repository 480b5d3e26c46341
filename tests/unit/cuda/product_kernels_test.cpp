// Products and dequantisation of every type against the scalar reference and plain double arithmetic. The kernels run
// on the pretended device, whose memory is the host's.
#include "engine/backend/cuda/product_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "base/f16.h"
#include "base/random.h"
#include "engine/backend/cuda/expert_kernels.h"
#include "engine/backend/cuda/matrix_layout.h"
#include "engine/backend/cuda/row_kernels.h"
#include "engine/gguf/dequantize.h"
#include "engine/gguf/quant_blocks.h"
#include "engine/gguf/quantize.h"
#include "tests/support/parameter_names.h"
#include "tests/support/simt/simt.h"
#include "tests/unit/cuda/matrix_bed.h"

namespace mneme::engine::cuda {
namespace {

using gguf::TensorType;
using enum gguf::TensorType;

// Rows of activations in all forms.
struct TestRows {
  RoundedRows view;
  std::vector<float> values, scales, sums, row_scales;
  std::vector<int8_t> codes;
  std::vector<uint16_t> halves;

  TestRows(int n_rows, int width, bool rounds, Random& random, float size = 1.0f) {
    const auto n = static_cast<size_t>(n_rows) * static_cast<size_t>(width);
    values.resize(n);
    for (float& x : values) x = size * random.gaussian();
    view.width = width;
    view.values = values.data();
    if (!rounds) return;
    codes.resize(n);
    scales.resize(n / kRoundBlock);
    sums.resize(n / kSumBlock);
    RoundedRows out{.width = width, .codes = codes.data(), .scales = scales.data(), .sums = sums.data()};
    EXPECT_EQ(round_rows(nullptr, values.data(), width, n_rows, out), cudaSuccess);
    out.values = values.data();
    view = out;
  }
  // What the int8 codes stand for.
  double rounded(size_t i) const { return double{scales[i / kRoundBlock]} * codes[i]; }
};

TEST(DequantiseOnDevice, EveryTypeIsBitForBitTheReference) {
  Random random(1);
  for (const TensorType type : kQuantised) {
    const TestMatrix matrix = random_matrix(type, 5, 768, random);
    std::vector<uint16_t> halves(5 * 768, 0xffff);
    ASSERT_EQ(dequantise_f16(nullptr, matrix.ref, 1, 3, halves.data()), cudaSuccess);
    for (size_t i = 0; i < 3 * 768; ++i)
      ASSERT_EQ(halves[i], to_f16(matrix.weights[768 + i]).bits) << name_of(type) << " " << i;
    EXPECT_EQ(halves[3 * 768], 0xffff) << "nothing is written beyond the rows asked for";

    std::vector<float> rows(2 * 768, 7.0f);
    const int ids[] = {4, 0};
    ASSERT_EQ(embed_rows(nullptr, matrix.ref, ids, 2, 1.0f, false, rows.data()), cudaSuccess);
    for (size_t i = 0; i < 768; ++i) {
      ASSERT_EQ(rows[i], matrix.weights[4 * 768 + i]) << name_of(type) << " " << i;
      ASSERT_EQ(rows[768 + i], matrix.weights[i]) << name_of(type) << " " << i;
    }
  }
}

TEST(DequantiseOnDevice, EmbeddingsOfPlainTypesAndOddWidths) {
  Random random(2);
  for (const TensorType type : {kF32, kF16, kBF16})
    for (const int width : {1, 15, 16, 50}) {
      const TestMatrix matrix = random_matrix(type, 3, width, random);
      std::vector<float> x(static_cast<size_t>(width), 2.0f);
      const int id = 2;
      ASSERT_EQ(embed_rows(nullptr, matrix.ref, &id, 1, 0.5f, true, x.data()), cudaSuccess);
      for (size_t i = 0; i < x.size(); ++i)
        ASSERT_EQ(x[i], 2.0f + matrix.weights[2 * x.size() + i] * 0.5f) << name_of(type) << " " << width;
    }
}

// Every exponent that is taken, the smallest of which give numbers below the normal ones, with every code in every
// place.
TEST(DequantiseOnDevice, EveryBlockOfMxfp4) {
  constexpr int kRows = gguf::kMxfp4HighestExponent + 1;
  constexpr int kBlocks = 17;  // a group and one block
  constexpr int kIn = kBlocks * gguf::kSmallBlock;
  std::vector<gguf::BlockMXFP4> blocks(static_cast<size_t>(kRows) * kBlocks);
  for (size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].e = static_cast<uint8_t>(i / kBlocks);
    for (size_t j = 0; j < 16; ++j)
      blocks[i].qs[j] = static_cast<uint8_t>((i + j) % 16 | ((i / kBlocks + 5 * i + 3 * j) % 16) << 4);
  }
  const auto bytes = std::as_bytes(std::span(blocks));
  const TestMatrix matrix = matrix_of(kMXFP4, {bytes.begin(), bytes.end()}, kRows, kIn);
  EXPECT_EQ(matrix.ref.stride_bytes % 16, 0) << "rows are read in vectors";
  std::vector<int> ids(kRows);
  std::iota(ids.begin(), ids.end(), 0);
  std::vector<float> rows(matrix.weights.size(), NAN);
  ASSERT_EQ(embed_rows(nullptr, matrix.ref, ids.data(), kRows, 1.0f, false, rows.data()), cudaSuccess);
  for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], matrix.weights[i]) << i / kIn << " " << i % kIn;
  EXPECT_NE(std::find(rows.begin(), rows.end(), std::ldexp(1.0f, -128)), rows.end());
}

TEST(RoundRows, Int8AsOnTheCpuAndHalvesWithinRange) {
  Random random(3);
  TestRows rows(3, 96, true, random, 5.0f);
  for (size_t i = 0; i < rows.values.size(); ++i)
    ASSERT_NEAR(rows.rounded(i), rows.values[i], rows.scales[i / kRoundBlock] * 0.5001f);
  for (size_t block = 0; block < rows.sums.size(); ++block) {
    const int sum = std::accumulate(rows.codes.begin() + static_cast<std::ptrdiff_t>(block * kSumBlock),
                                    rows.codes.begin() + static_cast<std::ptrdiff_t>((block + 1) * kSumBlock), 0);
    ASSERT_FLOAT_EQ(rows.sums[block], rows.scales[block / 2] * static_cast<float>(sum));
  }
  // A row beyond f16 is scaled by a power of two; one within is not; without scales it saturates.
  std::vector<float> x = {1.0f, 2.0f, 1e6f, -3e5f};
  uint16_t halves[2 * 8] = {};
  float scales[2] = {};
  RoundedRows out{.width = 2, .halves = halves, .half_stride = 8, .half_kind = HalfKind::kF16, .row_scales = scales};
  ASSERT_EQ(round_rows(nullptr, x.data(), 2, 2, out), cudaSuccess);
  EXPECT_EQ(scales[0], 1.0f);
  EXPECT_EQ(std::exp2(std::round(std::log2(scales[1]))), scales[1]);
  EXPECT_NEAR(to_f32(f16{halves[8]}) * scales[1], 1e6f, 500.0f);
  EXPECT_EQ(to_f32(f16{halves[1]}), 2.0f);
  out.row_scales = nullptr;
  ASSERT_EQ(round_rows(nullptr, x.data(), 2, 2, out), cudaSuccess);
  EXPECT_EQ(to_f32(f16{halves[8]}), 65504.0f);
  EXPECT_EQ(to_f32(f16{halves[9]}), -65504.0f);
  x[2] = NAN;
  ASSERT_EQ(round_rows(nullptr, x.data(), 2, 2, out), cudaSuccess);
  EXPECT_TRUE(std::isnan(to_f32(f16{halves[8]}))) << "a broken row is not hidden";
}

void expect_products(const TestMatrix& matrix, const std::vector<float>& y, int64_t stride, int n_rows,
                     double tolerance, const std::function<double(size_t)>& x) {
  const auto n_in = static_cast<size_t>(matrix.ref.n_in);
  for (int row = 0; row < n_rows; ++row)
    for (int out = 0; out < matrix.ref.n_out; ++out) {
      double expected = 0;
      double size = 0;
      for (size_t i = 0; i < n_in; ++i) {
        const double term =
            double{matrix.weights[static_cast<size_t>(out) * n_in + i]} * x(static_cast<size_t>(row) * n_in + i);
        expected += term;
        size += std::abs(term);
      }
      ASSERT_NEAR(y[static_cast<size_t>(row * stride + out)], expected, tolerance * (size + 1e-3))
          << name_of(matrix.ref.type) << " row " << row << " of " << n_rows << " output " << out;
    }
}

TEST(FewRows, QuantisedProductsOfEveryTypeAndCount) {
  Random random(4);
  for (const TensorType type : kQuantised)
    for (const int n_rows : {1, 2, 4, 5, 8}) {
      const int n_out = n_rows == 2 ? 9 : 16;  // also a part of a block
      // One row: beyond what a warp reads at once.
      const TestMatrix matrix = random_matrix(type, n_out, n_rows == 1 ? 2304 : 256, random);
      const TestRows rows(n_rows, matrix.ref.n_in, true, random);
      std::vector<float> y(static_cast<size_t>(n_rows) * 20, NAN);
      const ProductPart part{matrix.ref, y.data()};
      ASSERT_EQ(multiply_few(nullptr, {&part, 1}, rows.view, n_rows, 20), cudaSuccess);
      expect_products(matrix, y, 20, n_rows, 1e-6, [&](size_t i) { return rows.rounded(i); });
      EXPECT_TRUE(std::isnan(y[static_cast<size_t>(n_out)])) << "nothing is written beyond the outputs";
    }
}

// The residual stream: what a product adds to, with a bias, is what it would be added to behind it, to the bit.
TEST(FewRows, ProductsAddToWhatIsThere) {
  Random random(11);
  for (const TensorType type : {kF32, kBF16, kQ8_0, kQ4_K, kQ6_K, kMXFP4})
    for (const int n_rows : {1, 3, 8}) {
      constexpr int kOut = 21;
      const bool plain = gguf::tensor_type_info(type)->block_elements == 1;
      const TestMatrix matrix = random_matrix(type, kOut, 2304, random);
      const TestRows rows(n_rows, matrix.ref.n_in, !plain, random);
      std::vector<float> bias(kOut), before(static_cast<size_t>(n_rows) * kOut), product(before.size(), NAN);
      for (float& b : bias) b = random.gaussian();
      for (float& b : before) b = 100.0f * random.gaussian();
      const auto multiply = [&](float* y, const ProductEnd& end) {
        const ProductPart part{matrix.ref, y};
        return plain ? multiply_few_f32(nullptr, {&part, 1}, rows.values.data(), n_rows, kOut, end)
                     : multiply_few(nullptr, {&part, 1}, rows.view, n_rows, kOut, end);
      };
      ASSERT_EQ(multiply(product.data(), {}), cudaSuccess);
      std::vector<float> added = before, biased = before;
      ASSERT_EQ(multiply(added.data(), {.adds = true}), cudaSuccess);
      ASSERT_EQ(multiply(biased.data(), {.bias = bias.data(), .adds = true}), cudaSuccess);
      for (size_t i = 0; i < before.size(); ++i) {
        ASSERT_EQ(added[i], before[i] + product[i]) << name_of(type) << " " << i;
        ASSERT_EQ(biased[i], before[i] + (product[i] + bias[i % kOut])) << name_of(type) << " " << i;
      }
    }
}

TEST(FewRows, GatedProductsAreActivatedAndMultiplied) {
  Random random(12);
  for (const TensorType type : {kF32, kF16, kBF16})
    for (const int n_in : {7, 64, 2056})
      for (const int n_rows : {1, 3, 8}) {
        constexpr int kOut = 11;  // the last block is a part of one
        const TestMatrix gate = random_matrix(type, kOut, n_in, random);
        const TestMatrix up = random_matrix(type, kOut, n_in, random);
        const TestRows rows(n_rows, n_in, false, random);
        std::vector<float> bias(kOut), of_gate(static_cast<size_t>(n_rows) * kOut), of_up(of_gate), y(of_gate);
        for (float& b : bias) b = random.gaussian();
        const ProductPart parts[] = {{gate.ref, of_gate.data()}, {up.ref, of_up.data()}};
        for (const ProductPart& part : parts)
          ASSERT_EQ(multiply_few_f32(nullptr, {&part, 1}, rows.values.data(), n_rows, kOut), cudaSuccess);
        const GatedParts gated{gate.ref, up.ref, n_in == 64 ? bias.data() : nullptr, Activation::kSilu};
        ASSERT_EQ(multiply_few_gated_f32(nullptr, gated, rows.values.data(), n_rows, y.data()), cudaSuccess);
        for (size_t i = 0; i < y.size(); ++i) {
          const double other = of_up[i] + (n_in == 64 ? bias[i % kOut] : 0.0f);
          const double expected = of_gate[i] / (1.0 + std::exp(-double{of_gate[i]})) * other;
          ASSERT_NEAR(y[i], expected, 1e-5 * (std::abs(expected) + 1e-3)) << name_of(type) << " " << n_in << " " << i;
        }
      }
}

TEST(FewRows, PlainTypesRoundNothing) {
  Random random(5);
  for (const TensorType type : {kF32, kF16, kBF16})
    for (const int n_in : {1, 7, 50, 64, 300, 1032, 1036, 2056})  // also beyond what a warp reads at once
      for (const int n_rows : {1, 3, 8}) {
        const TestMatrix matrix = random_matrix(type, 11, n_in, random);
        const TestRows rows(n_rows, n_in, false, random);
        std::vector<float> y(static_cast<size_t>(n_rows) * 11, NAN);
        const ProductPart part{matrix.ref, y.data()};
        ASSERT_EQ(multiply_few_f32(nullptr, {&part, 1}, rows.values.data(), n_rows, 11), cudaSuccess);
        expect_products(matrix, y, 11, n_rows, 1e-6, [&](size_t i) { return rows.values[i]; });
      }
}

// A row that the product norms itself: y = W (x / rms * weight), in double.
std::vector<double> normed_row(const std::vector<float>& x, const RowNorm& norm) {
  double squares = 0;
  for (const float value : x) squares += double{value} * value;
  const double inverse = 1.0 / std::sqrt(squares / static_cast<double>(x.size()) + norm.epsilon);
  std::vector<double> row(x.size());
  for (size_t i = 0; i < row.size(); ++i) row[i] = x[i] * inverse * norm.weight[i];
  return row;
}

TEST(FewRows, ASingleRowIsNormedOnTheWay) {
  Random random(14);
  for (const TensorType type : {kF32, kF16, kBF16})
    for (const int n_in : {1, 7, 50, 64, 300, 1036, 2056, 4096})
      for (const float size : {1e-3f, 1.0f, 300.0f}) {
        constexpr int kOut = 11;
        const TestMatrix first = random_matrix(type, kOut, n_in, random);
        const TestMatrix second = random_matrix(type, kOut, n_in, random);
        const TestRows rows(1, n_in, false, random, size);
        std::vector<float> weight(static_cast<size_t>(n_in)), y(2 * kOut, NAN), gated(kOut, NAN);
        for (float& w : weight) w = 1.0f + 0.3f * random.gaussian();
        const RowNorm norm{weight.data(), 1e-5f};
        const std::vector<double> row = normed_row(rows.values, norm);
        const ProductPart parts[] = {{first.ref, y.data()}, {second.ref, y.data() + kOut}};
        ASSERT_EQ(multiply_few_f32(nullptr, parts, rows.values.data(), 1, 2 * kOut, {}, norm), cudaSuccess);
        const auto in_row = [&](size_t i) { return row[i]; };
        expect_products(first, {y.begin(), y.begin() + kOut}, kOut, 1, 1e-6, in_row);
        expect_products(second, {y.begin() + kOut, y.end()}, kOut, 1, 1e-6, in_row);
        const GatedParts both{first.ref, second.ref, nullptr, Activation::kSilu, norm};
        ASSERT_EQ(multiply_few_gated_f32(nullptr, both, rows.values.data(), 1, gated.data()), cudaSuccess);
        for (size_t i = 0; i < kOut; ++i) {
          const double expected = y[i] / (1.0 + std::exp(-double{y[i]})) * y[kOut + i];
          ASSERT_NEAR(gated[i], expected, 1e-5 * (std::abs(expected) + 1e-3)) << name_of(type) << " " << n_in;
        }
        ASSERT_NE(multiply_few_f32(nullptr, parts, rows.values.data(), 2, 2 * kOut, {}, norm), cudaSuccess)
            << "several rows have several norms";
      }
}

// Rows of types that lie in groups, ending within one, in products, tiles and tables.
TEST(FewRows, GroupedRowsEndAnywhere) {
  Random random(8);
  for (const TensorType type : {kQ8_0, kMXFP4})
    for (const int n_in : {32, 96, 256, 288, 512, 544, 2880}) {
      const TestMatrix matrix = random_matrix(type, 9, n_in, random);
      EXPECT_EQ(matrix.ref.stride_bytes % 16, 0) << "rows are read in vectors";
      const TestRows rows(2, n_in, true, random);
      std::vector<float> y(2 * 9, NAN);
      const ProductPart part{matrix.ref, y.data()};
      for (const int n_rows : {1, 2}) {
        ASSERT_EQ(multiply_few(nullptr, {&part, 1}, rows.view, n_rows, 9), cudaSuccess);
        expect_products(matrix, y, 9, n_rows, 1e-6, [&](size_t i) { return rows.rounded(i); });
      }
      ASSERT_EQ(multiply_tiled(nullptr, matrix.ref, rows.values.data(), 2, {y.data(), 9}), cudaSuccess);
      expect_products(matrix, y, 9, 2, 2e-6, [&](size_t i) { return rows.values[i]; });
      std::vector<float> row(static_cast<size_t>(n_in));
      const int id = 8;
      ASSERT_EQ(embed_rows(nullptr, matrix.ref, &id, 1, 1.0f, false, row.data()), cudaSuccess);
      for (size_t i = 0; i < row.size(); ++i) ASSERT_EQ(row[i], matrix.weights[8 * row.size() + i]) << n_in << " " << i;
    }
}

// Q, K and V in one launch: parts that end within a block, each with its place in the rows of y.
TEST(FewRows, PartsOfOneLaunchAreThoseOfThree) {
  Random random(9);
  for (const TensorType type : {kBF16, kQ8_0, kQ4_K, kMXFP4}) {
    const int outputs[] = {19, 8, 3};
    const bool plain = type == kBF16;
    const TestRows rows(3, 512, !plain, random);
    std::vector<TestMatrix> matrices;
    for (const int n_out : outputs) matrices.push_back(random_matrix(type, n_out, 512, random));
    constexpr int kStride = 33;
    std::vector<float> y(3 * kStride, NAN);
    const ProductPart parts[] = {
        {matrices[0].ref, y.data()}, {matrices[1].ref, y.data() + 19}, {matrices[2].ref, y.data() + 27}};
    const int64_t launches = simt::counters().launches;
    ASSERT_EQ(plain ? multiply_few_f32(nullptr, parts, rows.values.data(), 3, kStride)
                    : multiply_few(nullptr, parts, rows.view, 3, kStride),
              cudaSuccess);
    EXPECT_EQ(simt::counters().launches - launches, 1);
    for (size_t part = 0, first = 0; part < 3; first += static_cast<size_t>(outputs[part++]))
      expect_products(matrices[part], {y.begin() + static_cast<std::ptrdiff_t>(first), y.end()}, kStride, 3, 1e-6,
                      [&](size_t i) { return plain ? double{rows.values[i]} : rows.rounded(i); });
    EXPECT_TRUE(std::isnan(y[30]) && std::isnan(y[kStride - 1])) << "nothing is written between";
  }
}

TEST(TiledProducts, EveryTypeAndOddShapes) {
  Random random(6);
  std::vector<TensorType> types(std::begin(kQuantised), std::end(kQuantised));
  types.insert(types.end(), {kF32, kF16, kBF16});
  for (const TensorType type : types) {
    const bool blocks = gguf::tensor_type_info(type)->block_elements > 1;
    const TestMatrix matrix = random_matrix(type, 70, blocks ? 512 : 50, random);
    const TestRows rows(66, matrix.ref.n_in, false, random);
    std::vector<float> y(66 * 70, NAN);
    ASSERT_EQ(multiply_tiled(nullptr, matrix.ref, rows.values.data(), 66, {y.data(), 70}), cudaSuccess);
    expect_products(matrix, y, 70, 66, 2e-6, [&](size_t i) { return rows.values[i]; });
  }
}

struct ExpertCase {
  TensorType type;
  bool biased;
};
void PrintTo(const ExpertCase& what, std::ostream* out) {
  *out << name_of(what.type) << (what.biased ? ", biased" : "");
}
class ExpertProducts : public ::testing::TestWithParam<ExpertCase> {};
INSTANTIATE_TEST_SUITE_P(Experts, ExpertProducts,
                         ::testing::Values(ExpertCase{kQ8_0, false}, ExpertCase{kQ8_0, true}, ExpertCase{kF32, true},
                                           ExpertCase{kBF16, false}, ExpertCase{kMXFP4, true},
                                           ExpertCase{kIQ4_NL, false}),
                         mneme::testing::parameter_name<ExpertProducts::ParamType>);

TEST_P(ExpertProducts, PairsAndGroupsGiveTheSameAsOneByOne) {
  const auto [type, biased] = GetParam();
  Random random(7);
  constexpr int kExperts = 5, kRows = 70, kUsed = 2, kIn = 64, kOut = 40;
  std::vector<TestMatrix> matrices;
  std::vector<MatrixRef> refs;
  for (int e = 0; e < kExperts; ++e) refs.push_back(matrices.emplace_back(random_matrix(type, kOut, kIn, random)).ref);
  std::vector<float> bias(kExperts * kOut);
  for (float& b : bias) b = 10.0f * random.gaussian();
  std::vector<const float*> biases;
  for (size_t e = 0; e < kExperts; ++e) biases.push_back(bias.data() + e * kOut);
  const ExpertMatrices experts{refs.data(), biased ? biases.data() : nullptr};
  const bool codes = is_quantised(type);
  const TestRows rows(kRows, kIn, codes, random);
  std::vector<int> chosen;
  for (int row = 0; row < kRows; ++row) {
    const int first = static_cast<int>(random.below(kExperts - 1));  // the last expert gets few rows or none
    chosen.insert(chosen.end(), {first, (first + 1) % (kExperts - 1)});
  }
  std::vector<float> by_pair(kRows * kUsed * kOut, NAN);
  const ExpertPairs pairs{experts, chosen.data(), kRows * kUsed, kUsed};
  ASSERT_EQ(multiply_pairs(nullptr, refs[0], pairs, rows.view, {by_pair.data(), kOut}), cudaSuccess);

  const Routing routing{kRows, kExperts, kUsed, chosen.data(), nullptr};
  std::vector<int> offsets(kExperts + 1, -1), row_of(kRows * kUsed, -1), places(kRows * kUsed, -1);
  ASSERT_EQ(group_by_expert(nullptr, routing, offsets.data(), row_of.data(), places.data()), cudaSuccess);
  EXPECT_EQ(offsets[0], 0);
  EXPECT_EQ(offsets[kExperts], kRows * kUsed);
  std::vector<float> by_group(kRows * kUsed * kOut, NAN);
  const ExpertGroups groups{experts, kExperts, offsets.data(), row_of.data()};
  ASSERT_EQ(multiply_groups(nullptr, refs[0], groups, rows.values.data(), kRows, {by_group.data(), kOut}), cudaSuccess);

  for (int pair = 0; pair < kRows * kUsed; ++pair) {
    const TestMatrix& matrix = matrices[static_cast<size_t>(chosen[static_cast<size_t>(pair)])];
    const auto first = static_cast<size_t>(pair / kUsed) * kIn;
    const auto product_of = [&](const std::vector<float>& all, int place) {
      std::vector<float> product(all.begin() + int64_t{place} * kOut, all.begin() + int64_t{place + 1} * kOut);
      const float* own = biases[static_cast<size_t>(chosen[static_cast<size_t>(pair)])];
      for (size_t i = 0; biased && i < kOut; ++i) product[i] -= own[i];
      return product;
    };
    expect_products(matrix, product_of(by_pair, pair), kOut, 1, 1e-6,
                    [&](size_t i) { return codes ? rows.rounded(first + i) : double{rows.values[first + i]}; });
    expect_products(matrix, product_of(by_group, places[static_cast<size_t>(pair)]), kOut, 1, 1e-6,
                    [&](size_t i) { return rows.values[first + i]; });
  }
}

}  // namespace
}  // namespace mneme::engine::cuda
