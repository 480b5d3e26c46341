// The papers' baseline, one scale per head and token, against the definition written out plainly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "engine/codec/codec_list.h"

namespace mneme::engine {
namespace {

constexpr KvShape kShape{.n_layers = 1, .n_kv_heads = 3, .head_dim = 16};
constexpr int kTokens = 21;

// What (n_tokens, n_kv_heads, head_dim) numbers are rounded to. What is not finite says nothing and comes back as zero.
std::vector<f16> rounded(const std::vector<f16>& in, int bits) {
  const auto limit = static_cast<float>((1 << (bits - 1)) - 1);
  std::vector<f16> out;
  for (size_t head = 0; head < in.size(); head += kShape.head_dim) {
    float largest = 0;
    for (int i = 0; i < kShape.head_dim; ++i) {
      const float value = std::fabs(to_f32(in[head + i]));
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
    const float step = to_f32(to_f16(largest / limit));
    for (int i = 0; i < kShape.head_dim; ++i) {
      const float value = to_f32(in[head + i]);
      const bool says = std::isfinite(value) && step > 0;
      out.push_back(to_f16(says ? std::clamp(std::nearbyint(value * (1.0f / step)), -limit, limit) * step : 0.0f));
    }
  }
  return out;
}

std::vector<f16> numbers(uint64_t seed) {
  Random random(seed);
  std::vector<f16> out;
  for (int i = 0; i < kTokens * kShape.kv_dim(); ++i) out.push_back(to_f16(random.gaussian() * 3.0f));
  std::fill_n(out.begin() + 2 * kShape.head_dim, kShape.head_dim, to_f16(0.0f));  // a head without a scale
  out[5].bits = 0x7e00;                                                           // NaN
  out[6] = to_f16(std::numeric_limits<float>::infinity());
  out[7 * kShape.kv_dim() + 1].bits = 1;  // the smallest there is
  return out;
}

class UniformCodec : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Bits, UniformCodec, testing::Values(8, 4), testing::PrintToStringParamName());

TEST_P(UniformCodec, RoundsToTheStepsOfEachHead) {
  const auto codec = make_uniform_codec(kShape, GetParam());
  const std::vector<f16> keys = numbers(1);
  const std::vector<f16> values = numbers(2);
  std::vector<std::byte> payload;
  ASSERT_TRUE(codec->encode_layer(0, kTokens, keys, values, payload).ok());
  const size_t scales = 2 * kTokens * kShape.n_kv_heads * sizeof(f16);
  EXPECT_EQ(payload.size(), scales + 2 * keys.size() * static_cast<size_t>(GetParam()) / 8);
  std::vector<f16> keys_back(keys.size());
  std::vector<f16> values_back(values.size());
  ASSERT_TRUE(codec->decode_layer(0, kTokens, payload, keys_back, values_back).ok());
  const std::vector<f16> keys_asked = rounded(keys, GetParam());
  const std::vector<f16> values_asked = rounded(values, GetParam());
  for (size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(to_f32(keys_back[i]), to_f32(keys_asked[i])) << i;
    ASSERT_EQ(to_f32(values_back[i]), to_f32(values_asked[i])) << i;
  }
}

}  // namespace
}  // namespace mneme::engine
