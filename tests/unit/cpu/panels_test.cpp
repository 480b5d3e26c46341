// Packed int8 products: the packing keeps every value; each instruction set equals the plain integers; the product is
// that of the dequantised weights to the rounding of the activations.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/backend/cpu/multiplier.h"
#include "engine/gguf/dequantize.h"
#include "engine/gguf/quantize.h"

namespace mneme::engine::cpu {
namespace {

using gguf::TensorType;

const TensorType kQuantTypes[] = {TensorType::kQ4_0, TensorType::kQ4_1, TensorType::kQ5_0,   TensorType::kQ5_1,
                                  TensorType::kQ8_0, TensorType::kQ2_K, TensorType::kQ3_K,   TensorType::kQ4_K,
                                  TensorType::kQ5_K, TensorType::kQ6_K, TensorType::kIQ4_NL, TensorType::kIQ4_XS,
                                  TensorType::kMXFP4};

struct Weights {
  Weights(TensorType type, int64_t n_out, int64_t n_in, uint64_t seed) : values(static_cast<size_t>(n_out * n_in)) {
    Random random(seed);
    for (float& x : values) x = random.gaussian() * (random.below(50) == 0 ? 5.0f : 1.0f);
    bytes = gguf::quantize(type, values.data(), n_out, n_in);
    for (int64_t row = 0; row < n_out; ++row)
      gguf::dequantize_row(type, bytes.data() + row * gguf::row_bytes(type, n_in), n_in, values.data() + row * n_in);
    view.name = "w";
    view.type = type;
    view.n_out = n_out;
    view.n_in = n_in;
    view.bytes = bytes;
  }
  std::vector<float> values;
  std::vector<std::byte> bytes;
  TensorView view;
};

class Panels : public testing::TestWithParam<TensorType> {};
INSTANTIATE_TEST_SUITE_P(All, Panels, testing::ValuesIn(kQuantTypes),
                         [](const auto& info) { return std::string(gguf::tensor_type_info(info.param)->name); });

TEST_P(Panels, PackingKeepsEveryValue) {
  ThreadPool pool(2);
  const Weights weights(GetParam(), 37, 512, 3);
  WeightArena arena;
  CpuMatrix matrix(weights.view);
  ASSERT_TRUE(matrix.pack(pool, arena).ok());
  ASSERT_NE(matrix.packed(), nullptr);
  std::vector<float> row(512);
  for (int64_t i = 0; i < 37; ++i) {
    matrix.read_row(i, row.data());
    for (int k = 0; k < 512; ++k) ASSERT_EQ(row[k], weights.values[i * 512 + k]) << i << ", " << k;
  }
}

std::vector<float> product(const Kernels& kernels, int threads, const Weights& weights, const std::vector<float>& x,
                           int m, const std::vector<float>& bias) {
  ThreadPool pool(threads);
  WeightArena arena;
  CpuMatrix matrix(weights.view);
  EXPECT_TRUE(matrix.pack(pool, arena).ok());
  ReadChain chain(pool);
  Multiplier multiplier(kernels, pool, chain);
  const int n_in = static_cast<int>(weights.view.n_in);
  multiplier.begin({x.data(), n_in, m, n_in});
  std::vector<float> y(static_cast<size_t>(m) * weights.view.n_out, -77.0f);
  multiplier.multiply(matrix, bias.empty() ? nullptr : bias.data(), y.data(), weights.view.n_out);
  return y;
}

// The activations as int8 rounding leaves them.
std::vector<float> round_rows(const std::vector<float>& x, int k) {
  std::vector<float> rounded(x.size());
  std::vector<int8_t> codes(k);
  std::vector<float> scales(k / 32), s32(k / 32), s16(k / 16);
  std::vector<int32_t> m32(k / 32), m16(k / 16);
  for (size_t row = 0; row < x.size(); row += k) {
    scalar_kernels().quantize_row(x.data() + row, k,
                                  {codes.data(), scales.data(), {m32.data(), m16.data()}, {s32.data(), s16.data()}});
    for (int i = 0; i < k; ++i) rounded[row + i] = static_cast<float>(codes[i]) * scales[i / 32];
  }
  return rounded;
}

// Products with the values as they are. Size: the sum of the terms' magnitudes, for tolerances.
struct Exact {
  double value = 0, size = 0;
};
Exact exact_product(const Weights& weights, const float* x, int k, int j, float bias) {
  Exact exact{bias, std::fabs(bias)};
  for (int p = 0; p < k; ++p) {
    const double term = double{x[p]} * weights.values[static_cast<size_t>(j) * k + p];
    exact.value += term;
    exact.size += std::fabs(term);
  }
  return exact;
}

TEST_P(Panels, EveryInstructionSetGivesTheReference) {
  for (const auto& [m, n, k] : std::vector<std::array<int, 3>>{
           {1, 1, 256}, {1, 33, 512}, {2, 16, 256}, {5, 48, 768}, {13, 100, 512}, {37, 70, 1280}, {64, 32, 256}}) {
    const Weights weights(GetParam(), n, k, m * 7 + n);
    Random random(k + m);
    std::vector<float> x(static_cast<size_t>(m) * k), bias(n);
    for (float& v : x) v = random.gaussian() * (random.below(100) == 0 ? 20.0f : 1.0f);
    for (float& v : bias) v = random.gaussian();
    const auto rounded = round_rows(x, k);
    const auto reference = product(scalar_kernels(), 1, weights, x, m, bias);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const Exact exact = exact_product(weights, rounded.data() + static_cast<size_t>(i) * k, k, j, bias[j]);
        ASSERT_NEAR(reference[static_cast<size_t>(i) * n + j], exact.value, 1e-5 * exact.size + 1e-5);
      }
    for (const Kernels* kernels : available_kernels()) {
      if (m >= kernels->min_wide_rows) continue;  // they round otherwise: see below
      const auto y = product(*kernels, 2, weights, x, m, bias);
      for (size_t i = 0; i < y.size(); ++i)
        ASSERT_NEAR(y[i], reference[i], 1e-4 * (1 + std::fabs(reference[i]))) << kernels->name << " " << i;
    }
  }
}

TEST(SixBitFactors, KeepWhatIsPut) {
  Random random(6);
  SixBitFactors packed = {};
  PlainFactors expected = {}, unpacked = {};
  for (int group = 0; group < SixBitFactors::kGroups; ++group)
    for (int row = 0; row < kPanelRows; ++row) {
      const int scale = static_cast<int>(random.below(64)), minimum = static_cast<int>(random.below(64));
      packed.put(group, row, scale, minimum);
      expected.scales[group * kPanelRows + row] = static_cast<uint8_t>(scale);
      expected.minimums[group * kPanelRows + row] = static_cast<uint8_t>(minimum);
    }
  packed.unpack(unpacked);
  for (int i = 0; i < SixBitFactors::kGroups * kPanelRows; ++i) {
    EXPECT_EQ(unpacked.scales[i], expected.scales[i]) << i;
    EXPECT_EQ(unpacked.minimums[i], expected.minimums[i]) << i;
    const auto [scale, minimum] = packed.at(i / kPanelRows, i % kPanelRows);
    EXPECT_EQ(scale, expected.scales[i]) << i;
    EXPECT_EQ(minimum, expected.minimums[i]) << i;
  }
}

// No more than the file has, but for rounding up to whole lines.
TEST(SixBitFactors, PanelsAreAsLargeAsTheFilesRows) {
  ThreadPool pool(1);
  for (const auto type : {TensorType::kQ4_K, TensorType::kQ5_K}) {
    const Weights weights(type, 32, 512, 5);
    WeightArena arena;
    CpuMatrix matrix(weights.view);
    ASSERT_TRUE(matrix.pack(pool, arena).ok());
    EXPECT_EQ(matrix.packed()->memory_bytes(), static_cast<int64_t>(weights.bytes.size()));
  }
}

// One to eight rows, by panels together or in runs, one after the other: the same sums, so the same bits. Runs of one
// panel, of an odd number of them, of the most there are, and with a last panel that is not full.
TEST_P(Panels, OrderOfPanelsChangesNothing) {
  for (const auto& [m, n, k] : std::vector<std::array<int, 3>>{{1, 1, 256},
                                                               {1, 90, 1280},
                                                               {2, 33, 512},
                                                               {2, 48, 768},
                                                               {1, 1000, 256},
                                                               {2, 777, 512},
                                                               {3, 90, 256},
                                                               {4, 777, 512},
                                                               {5, 48, 1280},
                                                               {6, 33, 256},
                                                               {7, 100, 512},
                                                               {8, 290, 768},
                                                               {9, 50, 256}}) {
    const Weights weights(GetParam(), n, k, m + n);
    Random random(k);
    std::vector<float> x(static_cast<size_t>(m) * k), bias(n);
    for (float& v : x) v = random.gaussian();
    for (float& v : bias) v = random.gaussian();
    for (const Kernels* kernels : available_kernels()) {
      Kernels together = *kernels, in_order = *kernels;
      together.panels_in_order = false;
      in_order.panels_in_order = true;
      EXPECT_EQ(product(together, 2, weights, x, m, bias), product(in_order, 2, weights, x, m, bias)) << kernels->name;
    }
  }
}

// Scales between the codes or behind them: the same values and, with kernels that take both, the same bits.
TEST(PanelsInChunks, PlaceOfScalesChangesNothing) {
  using Place = PackedMatrix::ScalePlace;
  for (const auto& [m, n, k] : std::vector<std::array<int, 3>>{
           {1, 1, 32}, {1, 90, 1280}, {2, 33, 96}, {3, 48, 512}, {8, 100, 160}, {50, 70, 256}}) {
    const Weights weights(TensorType::kQ8_0, n, k, m + n);
    Random random(k);
    std::vector<float> x(static_cast<size_t>(m) * k), bias(n), row(k);
    for (float& v : x) v = random.gaussian();
    for (float& v : bias) v = random.gaussian();
    ThreadPool pool(2);
    WeightArena arena;
    CpuMatrix matrix(weights.view);
    ASSERT_TRUE(matrix.pack(pool, arena, Place::kBetweenCodes).ok());
    for (int64_t i = 0; i < n; ++i) {
      matrix.read_row(i, row.data());
      ASSERT_TRUE(std::equal(row.begin(), row.end(), weights.values.begin() + i * k)) << i;
    }
    const auto available = available_kernels();
    const auto found = std::find_if(available.begin(), available.end(),
                                    [](const Kernels* kernels) { return std::string(kernels->name) == "avx512"; });
    if (found == available.end()) continue;
    Kernels in_order = **found;
    in_order.panels_in_order = true;
    ReadChain chain(pool);
    Multiplier multiplier(in_order, pool, chain);
    std::vector<float> y(static_cast<size_t>(m) * n);
    multiplier.begin({x.data(), k, m, k});
    multiplier.multiply(matrix, bias.data(), y.data(), n);
    EXPECT_EQ(y, product(in_order, 2, weights, x, m, bias)) << m << " rows of " << k;
  }
}

// Depths at which a panel's bytes are no multiple of a cache line, in types that do not need 256 inputs.
TEST(PanelsOfPlainTypes, ShortAndOddDepths) {
  for (const TensorType type : {TensorType::kQ4_0, TensorType::kQ4_1, TensorType::kQ5_0, TensorType::kQ5_1,
                                TensorType::kQ8_0, TensorType::kIQ4_NL})
    for (const auto& [m, n, k] :
         std::vector<std::array<int, 3>>{{1, 33, 96}, {2, 50, 32}, {3, 17, 160}, {30, 40, 96}}) {
      const Weights weights(type, n, k, m + n);
      Random random(k);
      std::vector<float> x(static_cast<size_t>(m) * k);
      for (float& v : x) v = random.gaussian();
      const auto reference = product(scalar_kernels(), 1, weights, x, m, {});
      for (const Kernels* kernels : available_kernels()) {
        if (m >= kernels->min_wide_rows) continue;
        const auto y = product(*kernels, 2, weights, x, m, {});
        for (size_t i = 0; i < y.size(); ++i)
          ASSERT_NEAR(y[i], reference[i], 1e-4 * (1 + std::fabs(reference[i]))) << kernels->name << " " << i;
      }
    }
}

// What threads fetch while they wait depends on what was multiplied before; products do not.
TEST_P(Panels, ProductsInTurnEqualProductsAlone) {
  constexpr int kIn = 512;
  const Weights first(GetParam(), 300, kIn, 1);
  const Weights second(GetParam(), 40, kIn, 2);
  ThreadPool pool(2);
  WeightArena arena;
  CpuMatrix first_matrix(first.view), second_matrix(second.view);
  for (CpuMatrix* matrix : {&first_matrix, &second_matrix}) ASSERT_TRUE(matrix->pack(pool, arena).ok());
  Random random(3);
  std::vector<float> x(2 * kIn);
  for (float& v : x) v = random.gaussian();
  for (const int m : {1, 2}) {
    const auto rows = std::vector<float>(x.begin(), x.begin() + m * kIn);
    const auto first_alone = product(best_kernels(), 1, first, rows, m, {});
    const auto second_alone = product(best_kernels(), 1, second, rows, m, {});
    ReadChain chain(pool);
    Multiplier multiplier(best_kernels(), pool, chain);
    for (int turn = 0; turn < 20; ++turn) {
      std::vector<float> y(static_cast<size_t>(m) * 300), z(static_cast<size_t>(m) * 40);
      multiplier.begin({rows.data(), kIn, m, kIn});
      multiplier.multiply(first_matrix, nullptr, y.data(), 300);
      ASSERT_EQ(y, first_alone);
      if (turn % 3 == 2) continue;
      multiplier.multiply(second_matrix, nullptr, z.data(), 40);
      ASSERT_EQ(z, second_alone);
    }
  }
}

// Tile units take weights and activations rounded to bf16: each by at most 1/512 of itself.
TEST_P(Panels, TilesGiveTheProductToTheRoundingOfBf16) {
  const Kernels& kernels = best_kernels();
  if (kernels.min_wide_rows > 25) GTEST_SKIP() << "this processor has no tile unit";
  for (const auto& [m, n, k] :
       std::vector<std::array<int, 3>>{{25, 33, 256}, {32, 64, 512}, {37, 70, 1280}, {64, 32, 2304}, {520, 16, 256}}) {
    const Weights weights(GetParam(), n, k, m * 7 + n);
    Random random(k + m);
    std::vector<float> x(static_cast<size_t>(m) * k), bias(n);
    for (float& v : x) v = random.gaussian() * (random.below(100) == 0 ? 20.0f : 1.0f);
    for (float& v : bias) v = random.gaussian();
    const auto y = product(kernels, 2, weights, x, m, bias);
    double squared_error = 0, squared_size = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const Exact exact = exact_product(weights, x.data() + static_cast<size_t>(i) * k, k, j, bias[j]);
        const double error = y[static_cast<size_t>(i) * n + j] - exact.value;
        ASSERT_LE(std::fabs(error), 1.01 / 256 * exact.size + 1e-5) << i << ", " << j;
        squared_error += error * error;
        squared_size += exact.value * exact.value;
      }
    // Roundings are independent of each other: together they come to far less.
    EXPECT_LE(std::sqrt(squared_error / squared_size), 0.003);
  }
}

// The next pair's weights are widened while one is multiplied, and deep ones slice by slice: as if each pair were
// alone.
TEST_P(Panels, PairsWidenedDuringOthersGiveTheSame) {
  for (const auto& [m, k] : std::vector<std::array<int, 2>>{{40, 256}, {70, 2304}, {33, 4352}}) {
    constexpr int kOut = 150, kPair = 32;
    const Weights weights(GetParam(), kOut, k, 5);
    Random random(k);
    std::vector<float> x(static_cast<size_t>(m) * k);
    for (float& v : x) v = random.gaussian();
    const auto together = product(best_kernels(), 2, weights, x, m, {});
    for (int first = 0; first < kOut; first += kPair) {
      Weights pair = weights;
      pair.view.n_out = std::min(kPair, kOut - first);
      pair.view.bytes = std::span(weights.bytes).subspan(static_cast<size_t>(first) * gguf::row_bytes(GetParam(), k));
      const auto alone = product(best_kernels(), 1, pair, x, m, {});
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < pair.view.n_out; ++j)
          ASSERT_EQ(alone[static_cast<size_t>(i * pair.view.n_out + j)],
                    together[static_cast<size_t>(i * kOut + first + j)])
              << k << ": " << i << ", " << first + j;
    }
  }
}

TEST_P(Panels, RowsDoNotDependOnTheirNeighboursOrOnThreads) {
  const Weights weights(GetParam(), 70, 512, 8);
  Random random(1);
  std::vector<float> x(80 * 512);
  for (float& v : x) v = random.gaussian();
  const auto rows = [&](int first, int n) {
    return std::vector<float>(x.begin() + first * 512, x.begin() + (first + n) * 512);
  };
  const auto expect_same = [&](int n_all, int first, int n) {
    const auto all = product(best_kernels(), 2, weights, rows(0, n_all), n_all, {});
    const auto alone = product(best_kernels(), 1, weights, rows(first, n), n, {});
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < 70; ++j)
        ASSERT_EQ(alone[static_cast<size_t>(i) * 70 + j], all[static_cast<size_t>(first + i) * 70 + j]);
  };
  // Few rows and many may be rounded in two ways.
  for (int row : {0, 5, 7}) expect_same(8, row, 1);
  for (int first : {0, 5, 50}) expect_same(80, first, 30);
}

// Several matrices at once: threads' runs of panels end where a matrix does and begin anywhere.
TEST_P(Panels, MatricesTogetherGiveWhatTheyGiveAlone) {
  constexpr int kIn = 512;
  const int widths[] = {300, 16, 7, 529};
  ThreadPool pool(3);
  WeightArena arena;
  std::vector<Weights> weights;
  std::vector<std::unique_ptr<CpuMatrix>> matrices;
  for (const int width : widths) weights.emplace_back(GetParam(), width, kIn, static_cast<uint64_t>(width));
  for (Weights& w : weights) {
    w.view.bytes = w.bytes;
    matrices.push_back(std::make_unique<CpuMatrix>(w.view));
    ASSERT_TRUE(matrices.back()->pack(pool, arena).ok());
  }
  for (const Kernels* kernels : available_kernels())
    for (const int m : {1, 2, 5}) {
      Kernels in_order = *kernels;
      in_order.panels_in_order = true;
      Random random(m);
      std::vector<float> x(static_cast<size_t>(m) * kIn), bias(529);
      for (float& v : x) v = random.gaussian();
      for (float& v : bias) v = random.gaussian();
      std::vector<std::vector<float>> results;
      std::vector<Product> products;
      constexpr int64_t kStride = 1000;
      for (const auto& matrix : matrices) {
        results.emplace_back(m * kStride, -77.0f);
        products.push_back({matrix.get(), bias.data(), results.back().data()});
      }
      ReadChain chain(pool);
      Multiplier multiplier(in_order, pool, chain);
      multiplier.begin({x.data(), kIn, m, kIn});
      multiplier.multiply(products, kStride);
      for (size_t i = 0; i < weights.size(); ++i) {
        const auto alone = product(in_order, 1, weights[i], x, m, bias);
        for (int row = 0; row < m; ++row)
          for (int j = 0; j < kStride; ++j)
            ASSERT_EQ(results[i][row * kStride + j], j < widths[i] ? alone[row * widths[i] + j] : -77.0f)
                << kernels->name << ", matrix " << i << ": " << row << ", " << j;
      }
    }
}

// The gated half of a feed-forward in one, against its parts.
TEST_P(Panels, GatedProductsEqualTheirParts) {
  constexpr int kIn = 256, kWidth = 768, kOut = 40;
  const Weights gate(GetParam(), kWidth, kIn, 1);
  const Weights up(GetParam(), kWidth, kIn, 2);
  const Weights down(GetParam(), kOut, kWidth, 3);
  // The same as one matrix, gate first.
  Weights both = gate;
  both.bytes.insert(both.bytes.end(), up.bytes.begin(), up.bytes.end());
  both.view.bytes = both.bytes;
  both.view.n_out = 2 * kWidth;
  ThreadPool pool(2);
  WeightArena arena;
  CpuMatrix gate_matrix(gate.view), up_matrix(up.view), both_matrix(both.view), down_matrix(down.view);
  for (CpuMatrix* matrix : {&gate_matrix, &up_matrix, &both_matrix, &down_matrix})
    ASSERT_TRUE(matrix->pack(pool, arena).ok());
  Random random(4);
  for (const Kernels* kernels : available_kernels())
    for (const int m : {1, 2, 3, 50}) {
      std::vector<float> x(static_cast<size_t>(m) * kIn), bias(kWidth);
      for (float& v : x) v = random.gaussian();
      for (float& v : bias) v = random.gaussian();
      ReadChain chain(pool);
      Multiplier multiplier(*kernels, pool, chain);
      std::vector<float> hidden(static_cast<size_t>(m) * 2 * kWidth), expected(static_cast<size_t>(m) * kOut);
      multiplier.begin({x.data(), kIn, m, kIn});
      const Product parts[] = {{&gate_matrix, nullptr, hidden.data()},
                               {&up_matrix, bias.data(), hidden.data() + kWidth}};
      multiplier.multiply(parts, 2 * kWidth);
      for (int i = 0; i < m; ++i) {
        float* row = hidden.data() + static_cast<size_t>(i) * 2 * kWidth;
        kernels->silu(row, row + kWidth, kWidth, row);
      }
      multiplier.begin({hidden.data(), 2 * kWidth, m, kWidth});
      multiplier.multiply(down_matrix, nullptr, expected.data(), kOut);

      GatedProducts products{&gate_matrix, &up_matrix, 0, kWidth, bias.data(), kernels->silu};
      ASSERT_TRUE(Multiplier::can_gate(products, down_matrix));
      std::vector<float> result(expected.size());
      multiplier.begin({x.data(), kIn, m, kIn});
      multiplier.multiply_gated(products);
      multiplier.multiply(down_matrix, nullptr, result.data(), kOut);
      EXPECT_EQ(result, expected) << kernels->name << ", " << m << " rows";

      products = {&both_matrix, &both_matrix, kWidth, kWidth, bias.data(), kernels->silu};
      ASSERT_TRUE(Multiplier::can_gate(products, down_matrix));
      multiplier.begin({x.data(), kIn, m, kIn});
      multiplier.multiply_gated(products);
      multiplier.multiply(down_matrix, nullptr, result.data(), kOut);
      EXPECT_EQ(result, expected) << kernels->name << ", one matrix, " << m << " rows";
    }
  EXPECT_FALSE(Multiplier::can_gate({&gate_matrix, &up_matrix, 0, 248, nullptr, scalar_kernels().silu}, down_matrix));
}

TEST(Multiplier, RowsMadeOneByOneGiveTheSameAsAMatrix) {
  constexpr int kIn = 512, kOut = 70;
  const Weights weights(TensorType::kQ8_0, kOut, kIn, 1);
  ThreadPool pool(2);
  WeightArena arena;
  CpuMatrix matrix(weights.view);
  ASSERT_TRUE(matrix.pack(pool, arena).ok());
  Random random(4);
  for (const Kernels* kernels : available_kernels())
    for (const int m : {1, 5, 50}) {
      std::vector<float> x(static_cast<size_t>(m) * kIn);
      for (float& v : x) v = random.gaussian();
      ReadChain chain(pool);
      Multiplier multiplier(*kernels, pool, chain);
      std::vector<float> expected(static_cast<size_t>(m) * kOut), result(expected.size());
      multiplier.begin({x.data(), kIn, m, kIn});
      multiplier.multiply(matrix, nullptr, expected.data(), kOut);
      multiplier.begin_made(m, kIn, [&](int row, float* out) { std::copy_n(x.data() + row * kIn, kIn, out); });
      multiplier.multiply(matrix, nullptr, result.data(), kOut);
      EXPECT_EQ(result, expected) << kernels->name << ", " << m << " rows";
    }
}

TEST(QuantizeRow, EveryInstructionSetAgreesExactly) {
  Random random(2);
  std::vector<float> x(256);
  for (float& v : x) v = random.gaussian();
  for (int i = 64; i < 96; ++i) x[i] = 0;
  struct Result {
    std::vector<int8_t> codes = std::vector<int8_t>(256);
    std::vector<float> scales = std::vector<float>(8), s32 = std::vector<float>(8), s16 = std::vector<float>(16);
    std::vector<int32_t> m32 = std::vector<int32_t>(8), m16 = std::vector<int32_t>(16);
  };
  std::vector<Result> results;
  for (const Kernels* kernels : available_kernels()) {
    Result r;
    kernels->quantize_row(
        x.data(), 256, {r.codes.data(), r.scales.data(), {r.m32.data(), r.m16.data()}, {r.s32.data(), r.s16.data()}});
    results.push_back(r);
  }
  int sum = 0;
  for (int i = 0; i < 32; ++i) {
    ASSERT_NEAR(results[0].codes[i] * results[0].scales[0], x[i], results[0].scales[0] * 0.5001);
    sum += results[0].codes[i];
  }
  EXPECT_EQ(results[0].m32[0], -sum);
  EXPECT_EQ(results[0].scales[2], 0);
  for (const Result& r : results) {
    EXPECT_EQ(r.codes, results[0].codes);
    EXPECT_EQ(r.scales, results[0].scales);
    EXPECT_EQ(r.m32, results[0].m32);
    EXPECT_EQ(r.m16, results[0].m16);
    EXPECT_EQ(r.s32, results[0].s32);
    EXPECT_EQ(r.s16, results[0].s16);
  }
}

}  // namespace
}  // namespace mneme::engine::cpu
