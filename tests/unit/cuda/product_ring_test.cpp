// Products whose weights come through a ring in shared memory: the bits of those that read them into registers.
#include "engine/backend/cuda/product_ring.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/row_kernels.h"
#include "tests/support/simt/simt.h"
#include "tests/unit/cuda/matrix_bed.h"
#include "tests/unit/cuda/row_bed.h"

namespace mneme::engine::cuda {
namespace {

using gguf::TensorType;
using enum gguf::TensorType;

class RingProducts : public ::testing::Test {
 protected:
  void SetUp() override { simt::machine().major = 9; }
  void TearDown() override { simt::machine() = {}; }
};

RingDevice device_of(int n_processors) {
  return {n_processors, size_t{227} << 10};
}

// Outputs that are no multiple of a block's, of one matrix and of three, one behind the other.
struct Matrices {
  static constexpr int kStride = 40;
  std::vector<TestMatrix> all;
  Matrices(TensorType type, int width, Random& random) {
    for (const int n_out : {21, 8, 3}) all.push_back(random_matrix(type, n_out, width, random));
  }
  const MatrixRef& first() const { return all[0].ref; }
  // Bits of what the call writes, also of what is not to be written.
  template <typename Multiply>
  std::vector<uint32_t> products(size_t n_parts, Multiply multiply) const {
    std::vector<float> y(kStride, 0.25f);
    const ProductPart parts[] = {{all[0].ref, y.data()}, {all[1].ref, y.data() + 22}, {all[2].ref, y.data() + 31}};
    const int64_t launches = simt::counters().launches;
    EXPECT_EQ(multiply(std::span(parts).first(n_parts)), cudaSuccess);
    EXPECT_EQ(simt::counters().launches - launches, 1);
    return bits_of(y);
  }
};

void expect_bits_of_a_rounded_row(const Matrices& matrices, const Codes& codes) {
  std::vector<float> bias(21);
  for (size_t i = 0; i < bias.size(); ++i) bias[i] = 0.3f * static_cast<float>(i);
  for (const ProductEnd& end : {ProductEnd{}, ProductEnd{.adds = true}, ProductEnd{bias.data(), true}})
    for (const size_t n_parts : {1U, 3U}) {
      if (n_parts > 1 && end.bias != nullptr) continue;
      const auto before = matrices.products(n_parts, [&](const auto& parts) {
        return multiply_few(nullptr, parts, codes.view, 1, Matrices::kStride, end);
      });
      for (const int n_processors : {1, 3, 40})
        EXPECT_EQ(matrices.products(n_parts,
                                    [&](const auto& parts) {
                                      return multiply_ring(nullptr, parts, codes.row(), end, device_of(n_processors));
                                    }),
                  before)
            << name_of(matrices.first().type) << " " << codes.view.width << " " << n_processors;
    }
}

TEST_F(RingProducts, HaveTheBitsOfThoseThatReadARowFromMemory) {
  Random random(1);
  int n = 0;
  for (const TensorType type : kQuantised)
    for (const int width :
         {32, 96, 160, 256, 544, 768, 1536, 2048, 2304, 4096, 6144}) {  // parts of stages, of rings, and more
      if (!suits(type, width)) continue;
      const Matrices matrices(type, width, random);
      if (!rings_within(matrices.first(), device_of(1))) continue;
      expect_bits_of_a_rounded_row(matrices, normed_before(TestRow(width, random).ref));
      ++n;
    }
  EXPECT_GE(n, 60);
  for (const int width : {14336, 28672}) {
    const Matrices matrices(kQ4_K, width, random);
    ASSERT_TRUE(rings_within(matrices.first(), device_of(1)));
    expect_bits_of_a_rounded_row(matrices, normed_before(TestRow(width, random).ref));
  }
}

TEST_F(RingProducts, HaveTheBitsOfARowThatIsNormedBefore) {
  Random random(2);
  for (const TensorType type : kQuantised)
    for (const int width : {128, 256, 896, 2048, 2304, 4096}) {
      if (!suits(type, width)) continue;
      const Matrices matrices(type, width, random);
      if (!rings_within(matrices.first(), device_of(1))) continue;
      const TestRow row(width, random);
      const Codes codes = normed_before(row.ref);
      for (const size_t n_parts : {1U, 3U}) {
        const auto before = matrices.products(
            n_parts, [&](const auto& parts) { return multiply_few(nullptr, parts, codes.view, 1, Matrices::kStride); });
        for (const int n_processors : {1, 40})
          EXPECT_EQ(matrices.products(n_parts,
                                      [&](const auto& parts) {
                                        return multiply_ring(nullptr, parts, row.ref, device_of(n_processors));
                                      }),
                    before)
              << name_of(type) << " " << width << " " << n_processors;
      }
    }
}

// Rows that rounding treats by themselves, and threads in the opposite order.
TEST_F(RingProducts, HaveThemForAnyNumbers) {
  Random random(3);
  const auto expect_bits = [&](TensorType type, const TestRow& row) {
    const Matrices matrices(type, row.ref.width, random);
    const Codes codes = normed_before(row.ref);
    expect_bits_of_a_rounded_row(matrices, codes);
    EXPECT_EQ(
        matrices.products(3, [&](const auto& parts) { return multiply_ring(nullptr, parts, row.ref, device_of(2)); }),
        matrices.products(
            3, [&](const auto& parts) { return multiply_few(nullptr, parts, codes.view, 1, Matrices::kStride); }));
  };
  for (const float size : {0.0f, 1e-42f, 300.0f, 1e18f, std::numeric_limits<float>::infinity()})
    expect_bits(kQ4_K, TestRow(512, random, size));
  TestRow broken(512, random);
  broken.x[77].z = NAN;
  expect_bits(kQ8_0, broken);
  simt::machine().order = simt::ThreadOrder::kDescending;
  expect_bits(kQ4_K, TestRow(2304, random));
  expect_bits(kQ6_K, TestRow(4096, random));
}

// Gate and up, their activation and its rounding.
void expect_bits_of_registers(TensorType type, int width, int n_out, Activation activation, bool biased) {
  Random random(static_cast<uint64_t>(width + n_out));
  const TestRow row(width, random);
  const TestMatrix gate = random_matrix(type, n_out, width, random);
  const TestMatrix up = random_matrix(type, n_out, width, random);
  std::vector<float> bias(static_cast<size_t>(n_out));
  for (float& b : bias) b = random.gaussian();
  const GatedParts parts{gate.ref, up.ref, biased ? bias.data() : nullptr, activation, {}};
  for (const int n_processors : {1, 2, 4}) {
    if (!gates_within(width, n_out, n_processors)) continue;
    ASSERT_TRUE(gated_rings_within(gate.ref, device_of(n_processors)));
    Codes expected(n_out), through_ring(n_out);
    ASSERT_EQ(multiply_row_gated(nullptr, parts, row.ref, n_processors, expected.view), cudaSuccess);
    ASSERT_EQ(multiply_ring_gated(nullptr, parts, row.ref, device_of(n_processors), through_ring.view), cudaSuccess);
    EXPECT_EQ(through_ring.codes, expected.codes) << name_of(type) << " " << n_out << " " << n_processors;
    EXPECT_EQ(bits_of(through_ring.scales), bits_of(expected.scales)) << name_of(type) << " " << n_out;
    EXPECT_EQ(bits_of(through_ring.sums), bits_of(expected.sums)) << name_of(type) << " " << n_out;
  }
}

TEST_F(RingProducts, OfGateAndUpAreActivatedAndRounded) {
  for (const TensorType type : kQuantised) expect_bits_of_registers(type, 2048, 96, Activation::kSilu, type == kQ8_0);
  expect_bits_of_registers(kQ4_K, 256, 160, Activation::kGelu, true);
  expect_bits_of_registers(kQ4_K, 4096, 128, Activation::kSilu, false);
  simt::machine().order = simt::ThreadOrder::kDescending;
  expect_bits_of_registers(kQ4_K, 2304, 224, Activation::kSilu, false);
}

TEST_F(RingProducts, TakeWhatLiesInVectorsAndFitsTheDevice) {
  Random random(4);
  const TestMatrix matrix = random_matrix(kQ4_K, 3, 4096, random);
  const size_t shared = device_of(1).shared_bytes;
  EXPECT_TRUE(rings_within(matrix.ref, device_of(1)));
  EXPECT_TRUE(rings_within(matrix.ref, {1, size_t{99} << 10})) << "devices of 100 KB a multiprocessor";
  EXPECT_FALSE(rings_within(matrix.ref, {1, size_t{64} << 10}));
  EXPECT_FALSE(rings_within(matrix.ref, {1, 0})) << "no copies behind the program";
  MatrixRef other = matrix.ref;
  other.data += 8;
  EXPECT_FALSE(rings_within(other, device_of(1))) << "not read in vectors";
  other = matrix.ref;
  other.type = kF16;
  EXPECT_FALSE(rings_within(other, device_of(1))) << "not quantised";
  EXPECT_FALSE(rings_within(random_matrix(kQ6_K, 3, 2304, random).ref, device_of(1))) << "rows of 1,890 bytes";
  other = matrix.ref;
  other.n_in = 65536;
  EXPECT_FALSE(rings_within(other, {1, 2 * shared})) << "longer than a block copies";
  EXPECT_TRUE(ring_norms_within(TestRow(4096, random).ref));
  EXPECT_FALSE(ring_norms_within(TestRow(5120, random).ref));
}

}  // namespace
}  // namespace mneme::engine::cuda
