// Products that norm and round their row themselves: the bits of the kernels that do it beforehand, and decoding steps
// that are made of fewer launches. The kernels run on the pretended device, whose memory is the host's.
#include "engine/backend/cuda/product_row.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/cuda_objects.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/products.h"
#include "engine/backend/cuda/row_kernels.h"
#include "tests/support/simt/simt.h"
#include "tests/unit/cuda/matrix_bed.h"
#include "tests/unit/cuda/row_bed.h"

namespace mneme::engine::cuda {
namespace {

using gguf::TensorType;
using enum gguf::TensorType;

// Outputs that are no multiple of a block's, of one matrix and of three; few and many multiprocessors.
void expect_bits_of_a_normed_row(TensorType type, const TestRow& row, Random& random) {
  const int width = row.ref.width;
  std::vector<TestMatrix> matrices;
  for (const int n_out : {21, 8, 3}) matrices.push_back(random_matrix(type, n_out, width, random));
  const Codes codes = normed_before(row.ref);
  for (const size_t n_parts : {1U, 3U}) {
    constexpr int kStride = 40;
    const auto products = [&](auto multiply) {
      std::vector<float> y(kStride, NAN);
      const ProductPart parts[] = {
          {matrices[0].ref, y.data()}, {matrices[1].ref, y.data() + 22}, {matrices[2].ref, y.data() + 31}};
      const int64_t launches = simt::counters().launches;
      EXPECT_EQ(multiply(std::span(parts).first(n_parts)), cudaSuccess);
      EXPECT_EQ(simt::counters().launches - launches, 1);
      return bits_of(y);  // also of what is not to be written
    };
    const auto before =
        products([&](const auto& parts) { return multiply_few(nullptr, parts, codes.view, 1, kStride); });
    for (const int n_processors : {1, 2, 40})
      EXPECT_EQ(products([&](const auto& parts) { return multiply_row(nullptr, parts, row.ref, n_processors); }),
                before)
          << name_of(type) << " " << width << " " << n_processors;
  }
}

TEST(RowProducts, HaveTheBitsOfARowThatIsNormedBefore) {
  Random random(1);
  for (const TensorType type : kQuantised)
    for (const int width : {128, 256, 896, 1536, 2304, 3584})  // parts of what a warp reads at once, it, and more
      if (suits(type, width)) expect_bits_of_a_normed_row(type, TestRow(width, random), random);
  for (const TensorType type : {kQ8_0, kQ4_K, kQ6_K, kMXFP4})
    for (const int width : {4096, 5120, 8192})  // more than a norm's threads take at once
      expect_bits_of_a_normed_row(type, TestRow(width, random), random);
}

// Rows that rounding treats by themselves, and threads in the opposite order.
TEST(RowProducts, HaveThemForAnyNumbers) {
  Random random(2);
  for (const float size : {0.0f, 1e-42f, 1e-20f, 300.0f, 1e18f, std::numeric_limits<float>::infinity()})
    expect_bits_of_a_normed_row(kQ4_K, TestRow(512, random, size), random);
  TestRow broken(512, random);
  broken.x[77].z = NAN;
  expect_bits_of_a_normed_row(kQ8_0, broken, random);
  simt::machine().order = simt::ThreadOrder::kDescending;
  expect_bits_of_a_normed_row(kQ4_K, TestRow(5120, random), random);
  simt::machine() = {};
}

TEST(RowProducts, TakeRowsThatABlockHasRoomFor) {
  Random random(3);
  const TestRow row(8192, random);
  EXPECT_TRUE(norms_within(row.ref));
  RowToNorm other = row.ref;
  other.norm.weight = nullptr;
  EXPECT_FALSE(norms_within(other)) << "nothing to norm";
  other = row.ref;
  ++other.x;
  other.width = 4096;
  EXPECT_FALSE(norms_within(other)) << "not read in vectors";
  for (const int width : {64, 2880, 8320}) {
    other = row.ref;
    other.width = width;
    EXPECT_FALSE(norms_within(other)) << width;
  }
}

// Gate and up, their activation and its rounding in one launch, against three.
void expect_bits_of_three_launches(TensorType type, int width, int n_out, Activation activation, bool biased) {
  Random random(static_cast<uint64_t>(width + n_out));
  const TestRow row(width, random);
  const TestMatrix gate = random_matrix(type, n_out, width, random);
  const TestMatrix up = random_matrix(type, n_out, width, random);
  std::vector<float> bias(static_cast<size_t>(n_out)), products(2 * bias.size(), NAN);
  for (float& b : bias) b = random.gaussian();
  const float* up_bias = biased ? bias.data() : nullptr;
  const ProductPart parts[] = {{gate.ref, products.data()}, {up.ref, products.data() + n_out}};
  ASSERT_EQ(multiply_few(nullptr, parts, normed_before(row.ref).view, 1, 2 * n_out), cudaSuccess);
  Codes expected(n_out);
  const GatedRows gated{products.data(), products.data() + n_out, 2 * n_out, up_bias, activation};
  ASSERT_EQ(activate_rows(nullptr, gated, 1, expected.view), cudaSuccess);
  for (const int n_processors : {1, 2, 4, 132}) {
    if (!gates_within(width, n_out, n_processors)) continue;
    Codes within(n_out);
    const int64_t launches = simt::counters().launches;
    ASSERT_EQ(
        multiply_row_gated(nullptr, {gate.ref, up.ref, up_bias, activation, {}}, row.ref, n_processors, within.view),
        cudaSuccess);
    EXPECT_EQ(simt::counters().launches - launches, 1);
    EXPECT_EQ(within.codes, expected.codes) << name_of(type) << " " << n_out << " " << n_processors;
    EXPECT_EQ(bits_of(within.scales), bits_of(expected.scales)) << name_of(type) << " " << n_out;
    EXPECT_EQ(bits_of(within.sums), bits_of(expected.sums)) << name_of(type) << " " << n_out;
  }
}

TEST(RowProducts, OfGateAndUpAreActivatedAndRounded) {
  for (const TensorType type : kQuantised)
    expect_bits_of_three_launches(type, 512, 96, Activation::kSilu, type == kQ8_0);
  for (const Activation activation : {Activation::kGelu, Activation::kGeluTanh, Activation::kSiluClamped})
    expect_bits_of_three_launches(kQ4_K, 256, 160, activation, true);
  expect_bits_of_three_launches(kQ4_K, 4096, 128, Activation::kSilu, false);
  expect_bits_of_three_launches(kQ8_0, 8192, 64, Activation::kSilu, false);
  simt::machine().order = simt::ThreadOrder::kDescending;
  expect_bits_of_three_launches(kQ4_K, 2304, 224, Activation::kSilu, false);
  simt::machine() = {};
}

TEST(RowProducts, OfGateAndUpKeepHalfTheMultiprocessorsAtWork) {
  EXPECT_TRUE(gates_within(4096, 14336, 132));
  EXPECT_TRUE(gates_within(896, 4864, 132));
  EXPECT_TRUE(gates_within(1024, 66 * 32, 132));
  EXPECT_FALSE(gates_within(1024, 65 * 32, 132));
  EXPECT_FALSE(gates_within(1024, 66 * 32 + 16, 132)) << "groups that share a scale are whole";
  EXPECT_FALSE(gates_within(8192, 65536, 4)) << "activated numbers that do not fit a block";
}

// Q, K and V as files have them whose values are of a finer type: two launches, and none for the norm; three types are
// normed before.
TEST(RowProducts, OfNeighboursOfOneTypeAreOneLaunch) {
  Random random(4);
  const TestRow row(512, random);
  const NormRef norm{row.ref.norm.weight, nullptr, NormKind::kRms, row.ref.norm.epsilon};
  std::vector<float> source(8 * 512);
  for (float& x : source) x = random.gaussian();
  struct Types {
    TensorType q, k, v;
    int launches, launches_apart;
  };
  for (const auto& [q, k, v, launches, launches_apart] :
       {Types{kQ4_K, kQ4_K, kQ4_K, 1, 2}, Types{kQ4_K, kQ4_K, kQ6_K, 2, 3}, Types{kQ4_K, kQ5_K, kQ6_K, 4, 4},
        Types{kF16, kF16, kQ8_0, 3, 3}}) {
    std::vector<float> outputs[2];
    for (const bool within : {false, true}) {
      const auto device = *Device::open(0);
      Products products(*device, nullptr, {.norms_within = within});
      std::vector<std::unique_ptr<CudaMatrix>> matrices;
      for (const TensorType type : {q, k, v}) {
        const std::vector<std::byte> bytes = gguf::quantize(type, source.data(), 8, 512);
        const TensorView view{.name = "some", .type = type, .n_out = 8, .n_in = 512, .bytes = bytes};
        auto loaded = load_cuda_matrices(*device, {&view, 1});
        ASSERT_TRUE(loaded.ok());
        matrices.emplace_back(static_cast<CudaMatrix*>(loaded->front().release()));
      }
      std::vector<float>& y = outputs[within ? 1 : 0];
      y.assign(24, NAN);
      const Products::Part parts[] = {
          {matrices[0].get(), y.data()}, {matrices[1].get(), y.data() + 8}, {matrices[2].get(), y.data() + 16}};
      ASSERT_TRUE(device->begin());
      const int64_t before = simt::counters().launches;
      const RoundedRows rows = products.norm({parts[0].matrix, parts[1].matrix, parts[2].matrix},
                                             {.x = row.ref.x, .n_rows = 1, .width = 512, .norm = norm});
      products.multiply(parts, rows, 1, 24);
      ASSERT_TRUE(device->ok());
      EXPECT_EQ(simt::counters().launches - before, within ? launches : launches_apart);
    }
    EXPECT_EQ(bits_of(outputs[1]), bits_of(outputs[0])) << name_of(q) << " " << name_of(k) << " " << name_of(v);
  }
}

}  // namespace
}  // namespace mneme::engine::cuda
