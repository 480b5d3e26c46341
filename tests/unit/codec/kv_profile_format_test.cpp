// docs/formats/kv-profile.md gives the grammar of a calibration profile: one is read here by that grammar alone, down
// to its last byte.
#include <gtest/gtest.h>

#include <vector>

#include "base/bytes.h"
#include "base/random.h"
#include "engine/codec/kv_calibration.h"

namespace mneme::engine {
namespace {

constexpr KvShape kShape{.n_layers = 2, .n_kv_heads = 2, .head_dim = 32};

KvProfile made_profile() {
  constexpr int kTokens = 400;
  KvCalibrator calibrator(kShape);
  Random random(3);
  for (int layer = 0; layer < kShape.n_layers; ++layer) {
    std::vector<f16> keys, values;
    for (int i = 0; i < kTokens * kShape.kv_dim(); ++i) {
      keys.push_back(to_f16(random.gaussian() * static_cast<float>(1 + i % 7)));
      values.push_back(to_f16(random.gaussian()));
    }
    calibrator.add(layer, kTokens, keys, values);
  }
  auto profile = calibrator.finish({});
  EXPECT_TRUE(profile.ok()) << profile.status().message();
  return profile.ok() ? *std::move(profile) : KvProfile{};
}

// basis := mean:f32[kv_dim] weight:f32[kv_dim] B:f16[kv_dim * G]
void expect_basis(ByteReader& reader, const KvBasis& basis, int kv_dim, uint32_t group) {
  for (int c = 0; c < kv_dim; ++c) EXPECT_EQ(reader.read<float>(), basis.mean[static_cast<size_t>(c)]);
  for (int c = 0; c < kv_dim; ++c) EXPECT_EQ(reader.read<float>(), basis.weight[static_cast<size_t>(c)]);
  ASSERT_EQ(basis.vectors.size(), static_cast<size_t>(kv_dim) * group);
  for (const f16 value : basis.vectors) EXPECT_EQ(reader.read<uint16_t>(), value.bits);
}

// class := reach:u8 shrink:f32 frequency:u16[2 * reach + 1]
void expect_class(ByteReader& reader, const KvCodingClass& coding) {
  const int reach = reader.read<uint8_t>();
  EXPECT_EQ(reach, coding.reach);
  EXPECT_EQ(reader.read<float>(), coding.shrink);
  int sum = 0;
  for (int i = 0; i < 2 * reach + 1; ++i) {
    const uint16_t frequency = reader.read<uint16_t>();
    EXPECT_GT(frequency, 0);
    sum += frequency;
  }
  EXPECT_EQ(sum, 2048);
}

// level := n_classes:u8 class[n_classes] ((step:f32 class_of:u8[kv_dim])[2])[n_layers] layer_bits:f32[n_layers]
void expect_level(ByteReader& reader, const KvLevelProfile& level, int kv_dim) {
  ASSERT_EQ(reader.read<uint8_t>(), level.classes.size());
  for (const KvCodingClass& coding : level.classes) expect_class(reader, coding);
  for (const auto& layer : level.layers) {
    for (const KvPartLevel& part : layer) {
      EXPECT_EQ(reader.read<float>(), part.step);
      for (int c = 0; c < kv_dim; ++c) EXPECT_EQ(reader.read<uint8_t>(), part.classes[static_cast<size_t>(c)]);
    }
  }
  for (const float bits : level.layer_bits) EXPECT_EQ(reader.read<float>(), bits);
}

TEST(KvProfileDocument, EveryByteIsWhatTheGrammarSays) {
  const KvProfile profile = made_profile();
  ASSERT_EQ(profile.bases.size(), static_cast<size_t>(kShape.n_layers));
  const std::vector<std::byte> bytes = profile.serialise();
  ByteReader reader(bytes);
  EXPECT_EQ(as_text(reader.read_bytes(4)), "MKVP");
  EXPECT_EQ(reader.read<uint32_t>(), 1u);
  EXPECT_EQ(reader.read<uint32_t>(), static_cast<uint32_t>(kShape.n_layers));
  EXPECT_EQ(reader.read<uint32_t>(), static_cast<uint32_t>(kShape.n_kv_heads));
  EXPECT_EQ(reader.read<uint32_t>(), static_cast<uint32_t>(kShape.head_dim));
  const auto group = reader.read<uint32_t>();
  EXPECT_EQ(group, static_cast<uint32_t>(profile.group_dim));
  for (const auto& layer : profile.bases)
    for (const KvBasis& basis : layer) expect_basis(reader, basis, kShape.kv_dim(), group);
  for (const KvLevelProfile& level : profile.levels) expect_level(reader, level, kShape.kv_dim());
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.left(), 0u);
}

}  // namespace
}  // namespace mneme::engine
