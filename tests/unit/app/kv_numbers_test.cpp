// What codecs are judged by, and the contenders beside them, against what can be worked out by hand.
#include "app/bench/kv_numbers.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "app/bench/codec_contenders.h"
#include "app/bench/synthetic_kv.h"
#include "base/random.h"

namespace mneme::app {
namespace {

constexpr int kTokens = 1024;
constexpr int kWidth = 4;

// One layer, keys and values alike.
engine::ChunkKv chunk_of(const std::vector<f16>& rows) {
  engine::ChunkKv kv;
  kv.n_tokens = static_cast<int>(rows.size()) / kWidth;
  kv.keys = {rows};
  kv.values = {rows};
  return kv;
}

TEST(KvNumbers, ErrorIsMeasuredInDeviationsOfEachChannel) {
  std::vector<f16> from, back;
  for (int i = 0; i < 2 * kWidth; ++i) {
    const float sign = i < kWidth ? 1.0f : -1.0f;
    const float mean = 100.0f * static_cast<float>(i % kWidth);
    from.push_back(to_f16(mean + sign * 4.0f));
    back.push_back(to_f16(mean + sign * 3.0f));
  }
  EXPECT_DOUBLE_EQ(relative_error(from, from, kWidth), 0.0);
  EXPECT_DOUBLE_EQ(relative_error(from, back, kWidth), 0.25);
  EXPECT_DOUBLE_EQ(relative_error(std::vector<f16>(8), std::vector<f16>(8, to_f16(1.0f)), kWidth), 0.0) << "constant";
}

TEST(KvNumbers, EntropyBoundCountsBothBytes) {
  EXPECT_NEAR(entropy_bound(chunk_of(std::vector<f16>(kTokens * kWidth, to_f16(0.5f))), kWidth, false), 0.0, 1e-9);
  // A sign at random is one bit, in the high byte of fp16 and, turned round, in the low one of bf16.
  Random random(7);
  std::vector<f16> signs(kTokens * kWidth);
  for (f16& value : signs) value = to_f16(random.below(2) == 0 ? 1.0f : -1.0f);
  EXPECT_NEAR(entropy_bound(chunk_of(signs), kWidth, false), 1.0, 0.01);
  EXPECT_NEAR(entropy_bound(as_bf16({chunk_of(signs)}).front(), kWidth, true), 1.0, 0.01);
}

TEST(KvNumbers, Bf16IsTheNearestAndEvenWhereTwoAre) {
  const std::vector<f16> rows{to_f16(1.0f), to_f16(1.0f + 1.0f / 256), to_f16(1.0f + 3.0f / 256), to_f16(-0.1f)};
  const std::vector<f16> bits = as_bf16({chunk_of(rows)}).front().keys.front();
  const auto value = [&](size_t i) { return std::bit_cast<float>(uint32_t{bits[i].bits} << 16); };
  EXPECT_EQ(value(0), 1.0f);
  EXPECT_EQ(value(1), 1.0f);
  EXPECT_EQ(value(2), 1.0f + 4.0f / 256);
  EXPECT_NEAR(value(3), -0.1f, 0.1f / 256);
}

TEST(CodecContenders, CopyingAndZstdGiveBackEveryBit) {
  const engine::ChunkKv kv = synthetic_kv({.n_layers = 1, .n_kv_heads = 2, .head_dim = 8}, 1, 33, 5).front();
  EXPECT_EQ(fp16_bytes(kv), 2u * 33 * 16 * sizeof(f16));
  for (const CodecContender& contender : {memcpy_contender(), zstd_contender()}) {
    std::vector<std::byte> bytes;
    ASSERT_TRUE(contender.encode(0, kv, bytes).ok()) << contender.codec;
    std::vector<f16> keys(kv.keys.front().size()), values(keys.size());
    ASSERT_TRUE(contender.decode(0, kv.n_tokens, bytes, keys, values).ok()) << contender.codec;
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(keys[i].bits, kv.keys.front()[i].bits) << contender.codec << " at " << i;
      ASSERT_EQ(values[i].bits, kv.values.front()[i].bits) << contender.codec << " at " << i;
    }
  }
}

}  // namespace
}  // namespace mneme::app
