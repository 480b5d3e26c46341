// Tensor types: geometry, exact dequantisation against values worked out by hand, quantise-dequantise error bounds.
#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/gguf/dequantize.h"
#include "engine/gguf/quant_blocks.h"
#include "engine/gguf/quantize.h"

namespace mneme::gguf {
namespace {

const TensorType kAllTypes[] = {TensorType::kF32,  TensorType::kF16,    TensorType::kBF16,   TensorType::kQ4_0,
                                TensorType::kQ4_1, TensorType::kQ5_0,   TensorType::kQ5_1,   TensorType::kQ8_0,
                                TensorType::kQ2_K, TensorType::kQ3_K,   TensorType::kQ4_K,   TensorType::kQ5_K,
                                TensorType::kQ6_K, TensorType::kIQ4_NL, TensorType::kIQ4_XS, TensorType::kMXFP4};

std::string type_name(const ::testing::TestParamInfo<TensorType>& info) {
  return std::string(tensor_type_info(info.param)->name);
}

// Largest allowed error relative to the largest magnitude of the row, about half a step of the type.
double tolerance(TensorType type) {
  switch (type) {
    case TensorType::kF32: return 0;
    case TensorType::kF16: return 1e-3;
    case TensorType::kBF16: return 5e-3;
    case TensorType::kQ8_0: return 5e-3;
    case TensorType::kQ6_K: return 0.05;
    case TensorType::kQ5_0:
    case TensorType::kQ5_1:
    case TensorType::kQ5_K: return 0.08;
    case TensorType::kMXFP4: return 0.21;  // its highest levels are 8 and 12
    case TensorType::kQ3_K: return 0.35;
    case TensorType::kQ2_K: return 0.45;
    default: return 0.16;
  }
}

class QuantTypes : public ::testing::TestWithParam<TensorType> {};
INSTANTIATE_TEST_SUITE_P(All, QuantTypes, ::testing::ValuesIn(kAllTypes), type_name);

TEST_P(QuantTypes, NameLeadsBackToType) {
  const auto info = tensor_type_info(GetParam());
  ASSERT_TRUE(info);
  EXPECT_EQ(tensor_type_from_name(info->name), GetParam());
  EXPECT_NE(supported_tensor_types().find(info->name), std::string_view::npos);
}

TEST_P(QuantTypes, RoundTripStaysWithinHalfAStep) {
  Random random(7);
  std::vector<float> row(1024);
  for (float& x : row) x = random.gaussian();
  const auto bytes = quantize(GetParam(), row.data(), 1, 1024);
  std::vector<float> back(1024);
  dequantize_row(GetParam(), bytes.data(), 1024, back.data());
  double largest = 0;
  for (float x : row) largest = std::max(largest, std::fabs(double{x}));
  for (size_t i = 0; i < row.size(); ++i) ASSERT_NEAR(back[i], row[i], tolerance(GetParam()) * largest) << i;
}

TEST_P(QuantTypes, ZeroRowsStayZero) {
  const std::vector<float> row(256, 0.0f);
  const auto bytes = quantize(GetParam(), row.data(), 1, 256);
  std::vector<float> back(256, 1.0f);
  dequantize_row(GetParam(), bytes.data(), 256, back.data());
  for (float x : back) ASSERT_EQ(x, 0.0f);
}

TEST_P(QuantTypes, AnyBytesDequantiseWithoutHarm) {
  Random random(11);
  const int64_t n = 512;
  std::vector<std::byte> bytes(static_cast<size_t>(row_bytes(GetParam(), n)));
  for (std::byte& b : bytes) b = static_cast<std::byte>(random.next());
  std::vector<float> out(n);
  dequantize_row(GetParam(), bytes.data(), n, out.data());
}

TEST(RowBytes, RefusesBrokenRows) {
  EXPECT_EQ(row_bytes(TensorType::kQ8_0, 33), 0);
  EXPECT_EQ(row_bytes(TensorType::kQ4_K, 128), 0);
  EXPECT_EQ(row_bytes(TensorType::kQ4_K, 512), 288);
  EXPECT_EQ(row_bytes(static_cast<TensorType>(999), 32), 0);
  EXPECT_EQ(row_bytes(TensorType::kF32, -1), 0);
}

template <typename Block>
Block random_block(Random& random) {
  Block block;
  auto* bytes = reinterpret_cast<uint8_t*>(&block);
  for (size_t i = 0; i < sizeof(Block); ++i) bytes[i] = static_cast<uint8_t>(random.next());
  return block;
}

template <typename Block>
std::vector<float> dequantized(TensorType type, const Block& block) {
  std::vector<float> out(tensor_type_info(type)->block_elements);
  dequantize_row(type, reinterpret_cast<const std::byte*>(&block), static_cast<int64_t>(out.size()), out.data());
  return out;
}

// Each format written out element by element, the other way round from dequantize.cpp: index -> bits.
TEST(Dequantize, Q4_0ByElement) {
  Random random(1);
  auto block = random_block<BlockQ4_0>(random);
  block.d = to_f16(0.37f);
  const auto out = dequantized(TensorType::kQ4_0, block);
  for (int i = 0; i < 32; ++i) {
    const int q = i < 16 ? block.qs[i] % 16 : block.qs[i - 16] / 16;
    ASSERT_EQ(out[i], to_f32(block.d) * static_cast<float>(q - 8));
  }
}

// The short way of Q8_0 says the same, to the bit, as the integers that backends repack from.
TEST(Dequantize, Q8_0ByElement) {
  Random random(8);
  std::vector<std::byte> row(3 * sizeof(BlockQ8_0));
  for (std::byte& b : row) b = static_cast<std::byte>(random.below(256));
  for (size_t block = 0; block < 3; ++block) {
    const f16 d = to_f16(random.gaussian());
    std::memcpy(row.data() + block * sizeof(BlockQ8_0), &d, sizeof d);
  }
  std::vector<float> values(3 * kSmallBlock);
  dequantize_row(TensorType::kQ8_0, row.data(), 3 * kSmallBlock, values.data());
  for (size_t block = 0; block < 3; ++block) {
    IntegerBlock integers;
    read_block(TensorType::kQ8_0, row.data() + block * sizeof(BlockQ8_0), integers);
    for (int i = 0; i < kSmallBlock; ++i) {
      const float scale = integers.d * static_cast<float>(integers.scales[0]);
      EXPECT_EQ(values[block * kSmallBlock + static_cast<size_t>(i)],
                scale * static_cast<float>(integers.code[i] - integers.zero));
    }
  }
}

TEST(Dequantize, Q5_1ByElement) {
  Random random(2);
  auto block = random_block<BlockQ5_1>(random);
  block.d = to_f16(0.11f);
  block.m = to_f16(-1.7f);
  const auto out = dequantized(TensorType::kQ5_1, block);
  for (int i = 0; i < 32; ++i) {
    const int low = i < 16 ? block.qs[i] % 16 : block.qs[i - 16] / 16;
    const int high = (block.qh[i / 8] >> (i % 8)) & 1;
    ASSERT_EQ(out[i], to_f32(block.d) * static_cast<float>(low + 16 * high) + to_f32(block.m));
  }
}

TEST(Dequantize, Q4_KByElement) {
  Random random(3);
  auto block = random_block<BlockQ4_K>(random);
  block.d = to_f16(0.02f);
  block.dmin = to_f16(0.3f);
  const auto out = dequantized(TensorType::kQ4_K, block);
  for (int i = 0; i < 256; ++i) {
    const int group = i / 32;
    const int byte = block.qs[i / 64 * 32 + i % 32];
    const int q = i % 64 < 32 ? byte % 16 : byte / 16;
    const uint8_t* s = block.scales;
    const int scale = group < 4 ? s[group] % 64 : s[group + 4] % 16 + 16 * (s[group - 4] / 64);
    const int minimum = group < 4 ? s[group + 4] % 64 : s[group + 4] / 16 + 16 * (s[group] / 64);
    const float expected = to_f32(block.d) * static_cast<float>(scale) * static_cast<float>(q) -
                           to_f32(block.dmin) * static_cast<float>(minimum);
    ASSERT_EQ(out[i], expected) << i;
  }
}

TEST(Dequantize, Q6_KByElement) {
  Random random(4);
  auto block = random_block<BlockQ6_K>(random);
  block.d = to_f16(0.004f);
  const auto out = dequantized(TensorType::kQ6_K, block);
  for (int i = 0; i < 256; ++i) {
    const int half = i / 128;
    const int within = i % 128;
    const int low_byte = block.ql[half * 64 + within % 64];
    const int low = within < 64 ? low_byte % 16 : low_byte / 16;
    const int high = (block.qh[half * 32 + within % 32] >> (2 * (within / 32))) & 3;
    const float expected =
        to_f32(block.d) * static_cast<float>(block.scales[i / 16]) * static_cast<float>(low + 16 * high - 32);
    ASSERT_EQ(out[i], expected) << i;
  }
}

TEST(Dequantize, Q3_KByElement) {
  Random random(5);
  auto block = random_block<BlockQ3_K>(random);
  block.d = to_f16(0.013f);
  const auto out = dequantized(TensorType::kQ3_K, block);
  for (int i = 0; i < 256; ++i) {
    const int g = i / 16;
    const int low4 = g < 8 ? block.scales[g] % 16 : block.scales[g - 8] / 16;
    const int high2 = (block.scales[8 + g % 4] >> (2 * (g / 4))) & 3;
    const int low = (block.qs[i / 128 * 32 + i % 32] >> (2 * (i % 128 / 32))) & 3;
    const bool high = (block.hmask[i % 32] >> (i / 32)) & 1;
    const float expected =
        to_f32(block.d) * static_cast<float>(low4 + 16 * high2 - 32) * static_cast<float>(low - (high ? 0 : 4));
    ASSERT_EQ(out[i], expected) << i;
  }
}

TEST(Dequantize, Iq4XsByElement) {
  Random random(6);
  auto block = random_block<BlockIQ4_XS>(random);
  block.d = to_f16(0.05f);
  const auto out = dequantized(TensorType::kIQ4_XS, block);
  for (int i = 0; i < 256; ++i) {
    const int g = i / 32;
    const int scale = ((block.scales_l[g / 2] >> (4 * (g % 2))) & 15) + 16 * ((block.scales_h >> (2 * g)) & 3) - 32;
    const int byte = block.qs[16 * g + i % 16];
    const int level = kIq4Values[i % 32 < 16 ? byte % 16 : byte / 16];
    ASSERT_EQ(out[i], to_f32(block.d) * static_cast<float>(scale) * static_cast<float>(level)) << i;
  }
}

TEST(Dequantize, Mxfp4ByElement) {
  Random random(7);
  auto block = random_block<BlockMXFP4>(random);
  constexpr float kValues[16] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.0f, -0.5f, -1, -1.5f, -2, -3, -4, -6};
  for (const int exponent : {0, 1, 100, 127, 140}) {
    block.e = static_cast<uint8_t>(exponent);
    const auto out = dequantized(TensorType::kMXFP4, block);
    for (int i = 0; i < 32; ++i) {
      const float value = kValues[i < 16 ? block.qs[i] % 16 : block.qs[i - 16] / 16];
      ASSERT_EQ(out[i], std::ldexp(value, exponent - 127)) << i;
    }
  }
}

}  // namespace
}  // namespace mneme::gguf
