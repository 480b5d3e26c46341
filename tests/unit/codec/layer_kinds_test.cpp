// Codecs of models whose layers differ in their heads, and the calibration they come from.
#include "engine/codec/layer_kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/random.h"
#include "engine/codec/codec_list.h"
#include "engine/codec/kv_calibration.h"

namespace mneme::engine {
namespace {

// Windows and full layers in turn, as Gemma 4 has them.
KvShape mixed_shape() {
  return {.n_layers = 5, .n_kv_heads = 2, .head_dim = 64, .layers = {{2, 32}, {2, 32}, {1, 64}, {2, 32}, {2, 64}}};
}

std::vector<f16> numbers(Random& random, int n_tokens, int width) {
  std::vector<f16> out;
  for (int i = 0; i < n_tokens * width; ++i) out.push_back(to_f16(random.gaussian() * static_cast<float>(1 + i % 5)));
  return out;
}

bool are_equal(const std::vector<f16>& a, const std::vector<f16>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](f16 x, f16 y) { return x.bits == y.bits; });
}

std::shared_ptr<const KvProfile> mixed_profile() {
  constexpr int kTokens = 400;
  const KvShape shape = mixed_shape();
  KvProfile profile;
  profile.shape = shape;
  Random random(3);
  for (const KvShape& kind : layer_kinds(shape).shapes) {
    KvCalibrator calibrator(kind);
    for (int layer = 0; layer < kind.n_layers; ++layer)
      calibrator.add(layer, kTokens, numbers(random, kTokens, kind.kv_dim()), numbers(random, kTokens, kind.kv_dim()));
    auto made = calibrator.finish({});
    EXPECT_TRUE(made.ok()) << made.status().message();
    profile.kinds.push_back(*std::move(made));
  }
  return std::make_shared<const KvProfile>(std::move(profile));
}

TEST(LayerKinds, LayersWithEqualHeadsAreCountedAmongThemselves) {
  const LayerKinds kinds = layer_kinds(mixed_shape());
  ASSERT_EQ(kinds.size(), 3u);
  EXPECT_EQ(kinds.shapes[0], (KvShape{.n_layers = 3, .n_kv_heads = 2, .head_dim = 32}));
  EXPECT_EQ(kinds.shapes[1], (KvShape{.n_layers = 1, .n_kv_heads = 1, .head_dim = 64})) << "as wide, of other heads";
  const int expected[][2] = {{0, 0}, {0, 1}, {1, 0}, {0, 2}, {2, 0}};
  for (int layer = 0; layer < 5; ++layer) {
    EXPECT_EQ(kinds.of(layer).kind, expected[layer][0]);
    EXPECT_EQ(kinds.of(layer).index, expected[layer][1]);
  }
  EXPECT_EQ(layer_kinds({.n_layers = 4, .n_kv_heads = 2, .head_dim = 16}).size(), 1u);
}

TEST(LayerKinds, EveryLayerComesBackThroughItsOwnCodec) {
  const KvShape shape = mixed_shape();
  const auto profile = mixed_profile();
  Random random(4);
  constexpr int kTokens = 37;
  for (const KvLevel level : {KvLevel::kExact, KvLevel::kHigh, KvLevel::kMedium, KvLevel::kLow}) {
    auto codec = make_kv_codec(shape, level, profile);
    ASSERT_TRUE(codec.ok()) << codec.status().message();
    EXPECT_EQ((*codec)->level(), level);
    EXPECT_EQ((*codec)->shape(), shape);
    for (int layer = 0; layer < shape.n_layers; ++layer) {
      const std::vector<f16> keys = numbers(random, kTokens, shape.kv_dim(layer));
      const std::vector<f16> values = numbers(random, kTokens, shape.kv_dim(layer));
      std::vector<std::byte> bytes;
      ASSERT_TRUE((*codec)->encode_layer(layer, kTokens, keys, values, bytes).ok());
      std::vector<f16> back_keys(keys.size()), back_values(values.size());
      ASSERT_TRUE((*codec)->decode_layer(layer, kTokens, bytes, back_keys, back_values).ok());
      if (level == KvLevel::kExact) {
        EXPECT_TRUE(are_equal(back_keys, keys));
        EXPECT_TRUE(are_equal(back_values, values));
      } else {  // random numbers leave nothing to be saved, so much of them is lost; but not their sign at large
        double together = 0;
        for (size_t i = 0; i < keys.size(); ++i) together += double{to_f32(keys[i])} * to_f32(back_keys[i]);
        EXPECT_GT(together, 0);
      }
      EXPECT_FALSE((*codec)->decode_layer(layer, kTokens + 1, bytes, back_keys, back_values).ok());
      bytes.pop_back();
      EXPECT_FALSE((*codec)->decode_layer(layer, kTokens, bytes, back_keys, back_values).ok());
    }
    std::vector<std::byte> none;
    EXPECT_FALSE((*codec)->encode_layer(shape.n_layers, 0, {}, {}, none).ok());
    EXPECT_FALSE((*codec)->decode_layer(-1, 0, {}, {}, {}).ok());
  }
}

TEST(LayerKinds, LevelsWithLossNeedTheModelsOwnCalibration) {
  EXPECT_EQ(make_kv_codec(mixed_shape(), KvLevel::kMedium, nullptr).status().code(), StatusCode::kUsage);
  KvShape other = mixed_shape();
  other.layers[0] = {1, 64};
  EXPECT_EQ(make_kv_codec(other, KvLevel::kMedium, mixed_profile()).status().code(), StatusCode::kUsage);
  EXPECT_EQ(make_kv_codec_by_name("uniform8", mixed_shape(), KvLevel::kHigh, nullptr).status().code(),
            StatusCode::kUnsupported);
}

TEST(LayerKinds, ACalibrationIsWrittenAndRead) {
  const auto profile = mixed_profile();
  const std::vector<std::byte> bytes = profile->serialise();
  const auto back = KvProfile::parse(bytes);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(back->shape, profile->shape);
  EXPECT_EQ(back->serialise(), bytes);
  EXPECT_EQ(back->identity(), profile->identity());
  EXPECT_NEAR(back->bits_per_element(KvLevel::kMedium), profile->bits_per_element(KvLevel::kMedium), 1e-12);
  EXPECT_GT(back->bits_per_element(KvLevel::kHigh), back->bits_per_element(KvLevel::kLow));
}

TEST(LayerKinds, DamagedCalibrationsAreRefused) {
  const std::vector<std::byte> bytes = mixed_profile()->serialise();
  for (size_t n = 0; n < bytes.size(); n += n < 200 ? 1 : 997)
    EXPECT_FALSE(KvProfile::parse(std::span(bytes).first(n)).ok()) << n;
  std::vector<std::byte> longer = bytes;
  longer.push_back({});
  EXPECT_FALSE(KvProfile::parse(longer).ok());
  // Counts and heads far beyond what is there.
  for (size_t at = 8; at < 56; ++at) {
    std::vector<std::byte> damaged = bytes;
    damaged[at] = std::byte{0xff};
    EXPECT_FALSE(KvProfile::parse(damaged).ok()) << at;
  }
}

}  // namespace
}  // namespace mneme::engine
