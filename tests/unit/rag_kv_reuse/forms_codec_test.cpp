// Layers that come in several forms are decoded each by the codec of its own.
#include "rag/kv_reuse/forms_codec.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/codec/codec_list.h"

namespace mneme::rag {
namespace {

constexpr engine::KvShape kShape{.n_layers = 2, .n_kv_heads = 1, .head_dim = 8};
constexpr int kTokens = 5;

std::vector<f16> random_halves(uint64_t seed) {
  Random random(seed);
  std::vector<f16> halves(static_cast<size_t>(kTokens * kShape.kv_dim()));
  for (f16& half : halves) half = to_f16(random.gaussian());
  return halves;
}

// Says which of several it is by what it gives.
class Constant final : public engine::KvCodec {
 public:
  explicit Constant(float value) : value_(value) {}
  std::string_view name() const override { return "constant"; }
  engine::KvLevel level() const override { return engine::KvLevel::kHigh; }
  uint32_t id() const override { return 7; }
  const engine::KvShape& shape() const override { return kShape; }
  Status encode_layer(int, int, std::span<const f16>, std::span<const f16>, std::vector<std::byte>&) const override {
    return {};
  }
  Status decode_layer(int, int, ByteSpan payload, std::span<f16> keys, std::span<f16> values) const override {
    for (f16& key : keys) key = to_f16(value_);
    for (f16& value : values) value = to_f16(static_cast<float>(payload.size()));
    return {};
  }

 private:
  float value_;
};

TEST(FormsCodec, EveryPayloadIsDecodedByTheCodecOfItsForm) {
  const auto exact = engine::make_exact_codec(kShape);
  const Constant three(3);
  const auto forms = make_forms_codec({exact.get(), &three});
  const std::vector<f16> keys = random_halves(1);
  const std::vector<f16> values = random_halves(2);
  std::vector<std::byte> payload;
  ASSERT_TRUE(exact->encode_layer(1, kTokens, keys, values, payload).ok());
  const size_t n = payload.size();
  std::vector<f16> got_keys(keys.size());
  std::vector<f16> got_values(values.size());
  const auto decode = [&](std::vector<std::byte> marked, size_t form) {
    mark_form(form, marked);
    return forms->decode_layer(1, kTokens, marked, got_keys, got_values);
  };
  ASSERT_TRUE(decode(payload, 0).ok());
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(got_keys[i].bits, keys[i].bits);
    EXPECT_EQ(got_values[i].bits, values[i].bits);
  }
  ASSERT_TRUE(decode(payload, 1).ok());
  EXPECT_EQ(to_f32(got_keys[0]), 3.0f);
  EXPECT_EQ(to_f32(got_values[0]), static_cast<float>(n)) << "without the mark";
  for (const size_t form : {2, 255}) EXPECT_EQ(decode(payload, form).code(), StatusCode::kCorruption) << form;
  EXPECT_EQ(forms->decode_layer(1, kTokens, {}, got_keys, got_values).code(), StatusCode::kCorruption);
}

TEST(FormsCodec, NothingIsStoredByIt) {
  const Constant one(1);
  const auto forms = make_forms_codec({&one});
  const std::vector<f16> halves = random_halves(1);
  std::vector<std::byte> payload;
  EXPECT_EQ(forms->encode_layer(0, kTokens, halves, halves, payload).code(), StatusCode::kUnsupported);
  EXPECT_EQ(forms->id(), 0u);
  EXPECT_EQ(forms->level(), engine::KvLevel::kHigh);
}

}  // namespace
}  // namespace mneme::rag
