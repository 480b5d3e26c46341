// The codecs on KV made here: correlated channels with outliers, as trained models have, and everything hostile.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "base/random.h"
#include "engine/codec/cachegen.h"
#include "engine/codec/codec_kernels.h"
#include "engine/codec/codec_list.h"
#include "engine/codec/codec_transform.h"
#include "engine/codec/cpu_paths.h"
#include "engine/codec/kv_calibration.h"

namespace mneme::engine {
namespace {

constexpr KvShape kShape{.n_layers = 2, .n_kv_heads = 2, .head_dim = 48};

// (n_tokens, channels): few hidden directions, `scale` strong, mixed into all channels; a mean per channel; a little
// noise.
std::vector<f16> make_kv(uint64_t mixing, uint64_t seed, int n_tokens, int channels, float scale = 1.0f) {
  Random fixed(mixing);
  constexpr int kHidden = 12;
  std::vector<float> mix(static_cast<size_t>(kHidden) * channels);
  std::vector<float> mean(channels);
  for (float& m : mix) m = fixed.gaussian();
  for (float& m : mean) m = 3 * fixed.gaussian();
  Random random(seed);
  std::vector<f16> out;
  for (int t = 0; t < n_tokens; ++t) {
    float hidden[kHidden];
    for (int h = 0; h < kHidden; ++h) hidden[h] = random.gaussian() * 4.0f / static_cast<float>(h + 1);
    for (int c = 0; c < channels; ++c) {
      float value = mean[c] + 0.02f * random.gaussian();
      for (int h = 0; h < kHidden; ++h) value += scale * hidden[h] * mix[static_cast<size_t>(h) * channels + c];
      out.push_back(to_f16(value));
    }
  }
  return out;
}

struct LayerKv {
  std::vector<f16> keys, values;
};
LayerKv make_layer(const KvShape& shape, int layer, uint64_t seed, int n_tokens, float scale = 1.0f) {
  const auto mixing = static_cast<uint64_t>(layer) * 2;
  return {make_kv(mixing, seed, n_tokens, shape.kv_dim(), scale),
          make_kv(mixing + 1, seed + 1000, n_tokens, shape.kv_dim(), scale)};
}

std::shared_ptr<const KvProfile> profile_of(const KvShape& shape) {
  KvCalibrator calibrator(shape);
  for (int layer = 0; layer < shape.n_layers; ++layer) {
    const LayerKv kv = make_layer(shape, layer, 5, 600);
    calibrator.add(layer, 600, kv.keys, kv.values);
  }
  auto profile = calibrator.finish({});
  EXPECT_TRUE(profile.ok()) << profile.status().message();
  return std::make_shared<const KvProfile>(*std::move(profile));
}
std::shared_ptr<const KvProfile> shared_profile() {
  static const auto profile = profile_of(kShape);
  return profile;
}

std::unique_ptr<KvCodec> cachegen_codec(std::string_view name, KvLevel level = KvLevel::kMedium) {
  CachegenCalibrator calibrator(kShape);
  for (int layer = 0; layer < kShape.n_layers; ++layer) {
    for (const uint64_t seed : {5, 6}) {
      const LayerKv kv = make_layer(kShape, layer, seed, 300);
      calibrator.add(layer, 300, kv.keys, kv.values);
    }
  }
  auto profile = calibrator.finish(level, *cachegen_options(name));
  EXPECT_TRUE(profile.ok()) << profile.status().message();
  return *make_cachegen_codec(std::make_shared<const CachegenProfile>(*std::move(profile)));
}

std::vector<std::unique_ptr<KvCodec>> all_codecs() {
  std::vector<std::unique_ptr<KvCodec>> codecs;
  codecs.push_back(make_raw_codec(kShape));
  codecs.push_back(make_exact_codec(kShape));
  codecs.push_back(make_exact_codec(kShape, NumberFormat::kBf16));
  for (const char* name : {"cachegen", "cachegen-no-differences", "cachegen-one-bin", "cachegen-one-table"}) {
    codecs.push_back(cachegen_codec(name));
    EXPECT_EQ(codecs.back()->name(), name);
  }
  codecs.push_back(make_uniform_codec(kShape, 8));
  codecs.push_back(make_uniform_codec(kShape, 4));
  for (const KvLevel level : {KvLevel::kHigh, KvLevel::kMedium, KvLevel::kLow}) {
    codecs.push_back(*make_kv_codec(kShape, level, shared_profile()));
  }
  return codecs;
}

// Root mean square of a - b over that of a's deviation from its mean per channel.
double relative_error(const std::vector<f16>& a, const std::vector<f16>& b, int channels) {
  double error = 0;
  double variance = 0;
  for (int c = 0; c < channels; ++c) {
    double sum = 0;
    for (size_t i = c; i < a.size(); i += channels) sum += to_f32(a[i]);
    const double mean = sum / (static_cast<double>(a.size()) / channels);
    for (size_t i = c; i < a.size(); i += channels) {
      error += std::pow(to_f32(a[i]) - to_f32(b[i]), 2);
      variance += std::pow(to_f32(a[i]) - mean, 2);
    }
  }
  return std::sqrt(error / variance);
}

TEST(KvCodec, LevelsKeepTheirRatioAndTheirQuality) {
  const int n = 512;
  const double most[] = {0, 0.05, 0.12, 0.2};
  const double ratio[] = {1.0, 5.0, 10.0, 16.0};
  for (const float scale : {1.0f, 4.0f}) {  // also on text unlike the calibration's: the size holds, the step grows
    for (const KvLevel level : {KvLevel::kHigh, KvLevel::kMedium, KvLevel::kLow}) {
      const auto codec = *make_kv_codec(kShape, level, shared_profile());
      for (int layer = 0; layer < kShape.n_layers; ++layer) {
        const LayerKv kv = make_layer(kShape, layer, 42, n, scale);
        std::vector<std::byte> payload;
        ASSERT_TRUE(codec->encode_layer(layer, n, kv.keys, kv.values, payload).ok());
        LayerKv back{std::vector<f16>(kv.keys.size()), std::vector<f16>(kv.values.size())};
        ASSERT_TRUE(codec->decode_layer(layer, n, payload, back.keys, back.values).ok());
        const int i = static_cast<int>(level);
        EXPECT_GE(4.0 * static_cast<double>(kv.keys.size()) / static_cast<double>(payload.size()), ratio[i] * 0.93);
        EXPECT_LE(relative_error(kv.keys, back.keys, kShape.kv_dim()), most[i]) << kv_level_name(level);
        EXPECT_LE(relative_error(kv.values, back.values, kShape.kv_dim()), most[i]) << kv_level_name(level);
      }
    }
  }
}

class ExactCodecTest : public testing::TestWithParam<NumberFormat> {};
INSTANTIATE_TEST_SUITE_P(Formats, ExactCodecTest, testing::Values(NumberFormat::kF16, NumberFormat::kBf16));

TEST_P(ExactCodecTest, IsExactForEveryBitPattern) {
  const auto codec = make_exact_codec(kShape, GetParam());
  Random random(8);
  for (const int n : {0, 1, 2, 31, 33, 300}) {
    for (const bool noise : {false, true}) {
      LayerKv kv = make_layer(kShape, 0, 7, n);
      if (noise) {
        for (f16& value : kv.keys) value.bits = static_cast<uint16_t>(random.next());  // NaN, infinities, all
      }
      std::vector<std::byte> payload;
      ASSERT_TRUE(codec->encode_layer(0, n, kv.keys, kv.values, payload).ok());
      LayerKv back{std::vector<f16>(kv.keys.size()), std::vector<f16>(kv.values.size())};
      ASSERT_TRUE(codec->decode_layer(0, n, payload, back.keys, back.values).ok());
      for (size_t i = 0; i < kv.keys.size(); ++i) {
        ASSERT_EQ(kv.keys[i].bits, back.keys[i].bits);
        ASSERT_EQ(kv.values[i].bits, back.values[i].bits);
      }
    }
  }
}

TEST(KvCodec, EachHasAnIdAndANameOfItsOwn) {
  std::set<uint32_t> ids;
  std::set<std::string> named;
  for (const auto& codec : all_codecs()) {
    EXPECT_TRUE(ids.insert(codec->id()).second) << codec->name();
    named.insert(std::string(codec->name()));
    EXPECT_EQ(codec->decode_operations() > 0, !codec->name().starts_with("raw") && !codec->name().starts_with("exact"));
  }
  EXPECT_EQ(named.size(), 10u);  // the levels of one codec share its name
  for (const char* name : {"raw", "exact", "exact-bf16", "uniform8", "uniform4"}) {
    EXPECT_EQ((*make_kv_codec_by_name(name, kShape, KvLevel::kMedium, nullptr))->name(), name);
  }
  for (const KvLevel level : {KvLevel::kExact, KvLevel::kHigh, KvLevel::kMedium, KvLevel::kLow}) {
    EXPECT_EQ(kv_level_from_name(kv_level_name(level)), level);
    const KvLevel lossy = level == KvLevel::kExact ? KvLevel::kMedium : level;
    EXPECT_EQ((*make_kv_codec_by_name("transform", kShape, level, shared_profile()))->level(), lossy);
  }
  EXPECT_EQ(kv_level_from_name("Medium"), std::nullopt);
  EXPECT_EQ(kv_level_name(static_cast<KvLevel>(9)), "unknown");
}

TEST(KvCodec, AnyNumberOfTokensAndAnyValues) {
  Random random(4);
  for (const auto& codec : all_codecs()) {
    for (const int n : {0, 1, 2, 15, 23, 24, 25, 500}) {
      LayerKv kv = make_layer(kShape, 1, 3, n);
      for (uint64_t i = random.below(8); n > 0 && i > 0; --i) {
        kv.keys[random.below(kv.keys.size())].bits = static_cast<uint16_t>(random.below(2) ? 0x7c00 : 0xfe01);
        kv.values[random.below(kv.values.size())].bits = 0x7bff;  // the largest finite number
      }
      std::vector<std::byte> payload, again;
      const Status status = codec->encode_layer(1, n, kv.keys, kv.values, payload);
      if (status.code() == StatusCode::kUnsupported) continue;  // NumbersThatALevelCannotSayAreRefused
      ASSERT_TRUE(status.ok()) << codec->name();
      ASSERT_TRUE(codec->encode_layer(1, n, kv.keys, kv.values, again).ok());
      EXPECT_EQ(payload, again);  // deterministic
      LayerKv back{std::vector<f16>(kv.keys.size()), std::vector<f16>(kv.values.size())};
      EXPECT_TRUE(codec->decode_layer(1, n, payload, back.keys, back.values).ok()) << codec->name() << n;
    }
  }
}

// Some rows a little, some rows far outside what the coding tables reach: all ways of putting rows together.
TEST(KvCodec, NumbersFarBeyondTheCalibrationComeBackToo) {
  std::vector<std::unique_ptr<KvCodec>> codecs;
  codecs.push_back(*make_kv_codec(kShape, KvLevel::kHigh, shared_profile()));
  codecs.push_back(cachegen_codec("cachegen", KvLevel::kHigh));
  LayerKv kv = make_layer(kShape, 0, 21, 100);
  for (const auto& [token, factor] : {std::pair{3, 3.0f}, {40, 8.0f}, {41, 6.0f}, {64, 60.0f}, {99, 12.0f}}) {
    for (int c = 0; c < kShape.kv_dim(); ++c) {
      f16& value = kv.keys[static_cast<size_t>(token) * kShape.kv_dim() + c];
      value = to_f16(std::clamp(to_f32(value) * factor, -60000.0f, 60000.0f));
    }
  }
  for (const auto& codec : codecs) {
    std::vector<std::byte> payload;
    ASSERT_TRUE(codec->encode_layer(0, 100, kv.keys, kv.values, payload).ok());
    LayerKv back{std::vector<f16>(kv.keys.size()), std::vector<f16>(kv.values.size())};
    ASSERT_TRUE(codec->decode_layer(0, 100, payload, back.keys, back.values).ok());
    for (const int token : {3, 40, 41, 64, 99}) {
      double error = 0;
      double size = 0;
      for (int c = 0; c < kShape.kv_dim(); ++c) {
        const size_t at = static_cast<size_t>(token) * kShape.kv_dim() + c;
        error += std::pow(to_f32(kv.keys[at]) - to_f32(back.keys[at]), 2);
        size += std::pow(to_f32(kv.keys[at]), 2);
      }
      EXPECT_LT(std::sqrt(error / size), 0.05) << codec->name() << " " << token;
    }
  }
}

// Integers are cut off at 16 bits, and what calibration never saw may lie where nothing is coded: what a level cannot
// say is refused, and does not come back as quite another number.
TEST(KvCodec, NumbersThatALevelCannotSayAreRefused) {
  std::vector<std::unique_ptr<KvCodec>> codecs;
  for (const KvLevel level : {KvLevel::kHigh, KvLevel::kMedium, KvLevel::kLow}) {
    codecs.push_back(*make_kv_codec(kShape, level, shared_profile()));
    codecs.push_back(cachegen_codec("cachegen", level));
  }
  codecs.push_back(make_exact_codec(kShape));
  const size_t at = size_t{17} * kShape.kv_dim() + 5;
  constexpr float kLossy = 500.0f;  // a hundred times the numbers' usual distance from their mean
  int n_refused = 0, n_said = 0;
  for (const auto& codec : codecs)
    for (const float number : {300.0f, -3000.0f, 60000.0f, -65504.0f})
      for (const bool is_key : {true, false}) {
        LayerKv kv = make_layer(kShape, 1, 31, 64);
        (is_key ? kv.keys : kv.values)[at] = to_f16(number);
        std::vector<std::byte> payload(3);
        const Status status = codec->encode_layer(1, 64, kv.keys, kv.values, payload);
        if (!status.ok()) {
          ASSERT_EQ(status.code(), StatusCode::kUnsupported) << status.message();
          EXPECT_EQ(payload.size(), 3u);
          ++n_refused;
          continue;
        }
        LayerKv back{std::vector<f16>(kv.keys.size()), std::vector<f16>(kv.values.size())};
        ASSERT_TRUE(codec->decode_layer(1, 64, ByteSpan(payload).subspan(3), back.keys, back.values).ok());
        const float said = to_f32((is_key ? back.keys : back.values)[at]);
        EXPECT_NEAR(said, to_f32(to_f16(number)), 0.1f * std::fabs(number) + kLossy)
            << codec->name() << " " << kv_level_name(codec->level());
        ++n_said;
      }
  EXPECT_GT(n_refused, 0) << "nothing far enough was tried";
  EXPECT_GT(n_said, 8) << "levels hold what is a little far, and exact holds all";
}

// A chat's context is one piece of many streams. Tokens are coded by themselves, so at the same scale each comes back
// as it does in a shorter piece; here with some that are far beyond the calibration in every stream.
TEST(KvCodec, ALongTextComesBackAsItsPartsDo) {
  constexpr int kTokens = 9000;
  constexpr int kPart = 1000;
  const int width = kShape.kv_dim();
  // A little quieter than what was calibrated with, and loud where no scale is judged by it: so all have the finest
  // one.
  LayerKv kv = make_layer(kShape, 1, 77, kTokens, 0.7f);
  for (int token = 307; token < kTokens; token += kPart)
    for (int c = 0; c < width; c += 5) kv.keys[static_cast<size_t>(token * width + c)] = to_f16(40.0f);
  int n_streams = 1;
  for (const KvLevel level : {KvLevel::kHigh, KvLevel::kMedium, KvLevel::kLow}) {
    const auto codec = *make_kv_codec(kShape, level, shared_profile());
    const auto coded = [&](int first, int n_tokens, std::vector<std::byte>& payload) {
      const auto from = static_cast<size_t>(first * width);
      const auto n = static_cast<size_t>(n_tokens * width);
      EXPECT_TRUE(codec
                      ->encode_layer(1, n_tokens, std::span(kv.keys).subspan(from, n),
                                     std::span(kv.values).subspan(from, n), payload)
                      .ok());
      LayerKv back{std::vector<f16>(n), std::vector<f16>(n)};
      EXPECT_TRUE(codec->decode_layer(1, n_tokens, payload, back.keys, back.values).ok());
      return back;
    };
    std::vector<std::byte> whole_payload;
    const LayerKv whole = coded(0, kTokens, whole_payload);
    for (int first = 0; first < kTokens; first += kPart) {
      std::vector<std::byte> payload;
      const LayerKv part = coded(first, kPart, payload);
      ASSERT_EQ(payload.front(), whole_payload.front()) << "the scale";
      const auto at = static_cast<std::ptrdiff_t>(first * width);
      const auto same = [](f16 a, f16 b) { return a.bits == b.bits; };
      EXPECT_TRUE(std::equal(part.keys.begin(), part.keys.end(), whole.keys.begin() + at, same)) << first;
      EXPECT_TRUE(std::equal(part.values.begin(), part.values.end(), whole.values.begin() + at, same)) << first;
    }
    const auto* const transform = dynamic_cast<const TransformCodec*>(codec.get());
    ASSERT_NE(transform, nullptr);
    EXPECT_EQ(transform_stream_count(kPart, transform->plan(1).row), 1);
    n_streams = std::max(n_streams, transform_stream_count(kTokens, transform->plan(1).row));
  }
  EXPECT_GT(n_streams, 1) << "nothing long was tried";
}

TEST(KvCodec, ANaNDisturbsNothingElse) {
  for (const KvLevel level : {KvLevel::kHigh, KvLevel::kMedium, KvLevel::kLow}) {
    const auto codec = *make_kv_codec(kShape, level, shared_profile());
    LayerKv kv = make_layer(kShape, 0, 9, 64);
    kv.keys[5 * kShape.kv_dim() + 3].bits = 0x7e00;
    std::vector<std::byte> payload;
    ASSERT_TRUE(codec->encode_layer(0, 64, kv.keys, kv.values, payload).ok());
    LayerKv back{std::vector<f16>(kv.keys.size()), std::vector<f16>(kv.values.size())};
    ASSERT_TRUE(codec->decode_layer(0, 64, payload, back.keys, back.values).ok());
    for (const f16 value : back.keys) EXPECT_TRUE(std::isfinite(to_f32(value)));
    kv.keys[5 * kShape.kv_dim() + 3] = back.keys[5 * kShape.kv_dim() + 3];
    EXPECT_LE(relative_error(kv.keys, back.keys, kShape.kv_dim()), 0.25);
  }
}

TEST(KvCodec, DamagedBytesNeverCrash) {
  Random random(6);
  for (const auto& codec : all_codecs()) {
    const LayerKv kv = make_layer(kShape, 0, 12, 40);
    std::vector<std::byte> payload;
    ASSERT_TRUE(codec->encode_layer(0, 40, kv.keys, kv.values, payload).ok());
    LayerKv back{std::vector<f16>(kv.keys.size()), std::vector<f16>(kv.values.size())};
    for (size_t length = 0; length < payload.size(); length += 1 + length / 50) {
      EXPECT_EQ(codec->decode_layer(0, 40, ByteSpan(payload).first(length), back.keys, back.values).code(),
                StatusCode::kCorruption)
          << codec->name();
    }
    for (int round = 0; round < 1500; ++round) {
      std::vector<std::byte> damaged = payload;
      // The front holds counts and lengths: half of the damage goes there.
      const size_t range = random.below(2) ? damaged.size() : std::min<size_t>(damaged.size(), 200);
      for (uint64_t i = 1 + random.below(3); i > 0; --i) {
        damaged[random.below(range)] = static_cast<std::byte>(random.below(256));
      }
      (void)codec->decode_layer(0, 40, damaged, back.keys, back.values);
      (void)codec->decode_layer(0, 39, damaged, std::span(back.keys).first(39 * kShape.kv_dim()),
                                std::span(back.values).first(39 * kShape.kv_dim()));
    }
  }
}

TEST(KvCodec, WrongArgumentsAreUsageErrors) {
  for (const auto& codec : all_codecs()) {
    if (codec->name() == "raw") continue;
    std::vector<f16> few(3);
    std::vector<std::byte> out;
    EXPECT_EQ(codec->encode_layer(0, 2, few, few, out).code(), StatusCode::kUsage) << codec->name();
    EXPECT_EQ(codec->decode_layer(0, 2, out, few, few).code(), StatusCode::kUsage) << codec->name();
  }
  EXPECT_EQ(make_kv_codec(kShape, KvLevel::kLow, nullptr).status().code(), StatusCode::kUsage);
  EXPECT_EQ(make_kv_codec({3, 2, 48}, KvLevel::kLow, shared_profile()).status().code(), StatusCode::kUsage);
  EXPECT_EQ(make_kv_codec_by_name("zip", kShape, KvLevel::kLow, nullptr).status().code(), StatusCode::kUsage);
}

TEST(KvProfile, ComesBackTheSame) {
  const auto profile = shared_profile();
  const std::vector<std::byte> bytes = profile->serialise();
  const auto parsed = KvProfile::parse(bytes);
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_EQ(parsed->serialise(), bytes);
  EXPECT_EQ(parsed->identity(), profile->identity());
  // What is coded with the one is read with the other.
  const auto codec = *make_kv_codec(kShape, KvLevel::kMedium, profile);
  const auto other = *make_kv_codec(kShape, KvLevel::kMedium, std::make_shared<const KvProfile>(*parsed));
  const LayerKv kv = make_layer(kShape, 0, 1, 50);
  std::vector<std::byte> payload, again;
  ASSERT_TRUE(codec->encode_layer(0, 50, kv.keys, kv.values, payload).ok());
  ASSERT_TRUE(other->encode_layer(0, 50, kv.keys, kv.values, again).ok());
  EXPECT_EQ(payload, again);
}

TEST(KvProfile, DamageIsRefusedOrHarmless) {
  const std::vector<std::byte> bytes = shared_profile()->serialise();
  for (size_t length = 0; length < bytes.size(); length += 1 + length / 20) {
    EXPECT_FALSE(KvProfile::parse(ByteSpan(bytes).first(length)).ok());
  }
  Random random(10);
  const LayerKv kv = make_layer(kShape, 0, 1, 20);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::byte> damaged = bytes;
    const size_t range = round % 2 ? damaged.size() : 40;
    damaged[random.below(range)] = static_cast<std::byte>(random.below(256));
    auto parsed = KvProfile::parse(damaged);
    if (!parsed.ok()) continue;
    auto codec = make_kv_codec(parsed->shape, KvLevel::kLow, std::make_shared<const KvProfile>(*parsed));
    if (!codec.ok() || (*codec)->shape().kv_dim() != kShape.kv_dim()) continue;
    std::vector<std::byte> payload;
    const Status status = (*codec)->encode_layer(0, 20, kv.keys, kv.values, payload);
    ASSERT_TRUE(status.ok() || status.code() == StatusCode::kUnsupported) << status.message();
  }
}

// What nobody writes who calibrates, with a checksum that holds.
// Each alone, in a profile that is whole otherwise.
TEST(KvProfile, NumbersThatNoCalibrationWritesAreRefused) {
  const float nan = std::nanf("");
  const float infinite = std::numeric_limits<float>::infinity();
  const auto refused = [](const char* what, auto change) {
    KvProfile profile = *KvProfile::parse(shared_profile()->serialise());
    change(profile);
    EXPECT_EQ(KvProfile::parse(profile.serialise()).status().code(), StatusCode::kCorruption) << what;
  };
  refused("a mean", [&](KvProfile& p) { p.bases[1][0].mean[3] = nan; });
  refused("a weight of nothing", [](KvProfile& p) { p.bases[0][1].weight[2] = 0.0f; });
  refused("an endless weight", [&](KvProfile& p) { p.bases[0][0].weight[2] = infinite; });
  refused("a direction", [](KvProfile& p) { p.bases[0][0].vectors[1].bits = 0x7c00; });
  for (size_t level = 0; level < shared_profile()->levels.size(); ++level) {
    refused("a step of nothing", [&](KvProfile& p) { p.levels[level].layers[0][0].step = 0.0f; });
    refused("an endless step", [&](KvProfile& p) { p.levels[level].layers[1][1].step = infinite; });
    refused("a class that is not there", [&](KvProfile& p) {
      p.levels[level].layers[0][1].classes[0] = static_cast<uint8_t>(p.levels[level].classes.size());
    });
    refused("shrinking", [&](KvProfile& p) { p.levels[level].classes[0].shrink = nan; });
    refused("bits of a layer", [&](KvProfile& p) { p.levels[level].layer_bits[0] = 0.0f; });
    refused("a symbol without a code", [&](KvProfile& p) {
      RansFrequencies& frequencies = p.levels[level].classes[0].frequencies;
      frequencies[1] = static_cast<uint16_t>(frequencies[1] + frequencies[0]);
      frequencies[0] = 0;
    });
    refused("frequencies of another sum", [&](KvProfile& p) { ++p.levels[level].classes[0].frequencies[0]; });
  }
}

TEST(KvProfile, ClassesBeyondASymbolsByteAreRefused) {
  for (const int reach : {128, 200, 255}) {
    KvProfile profile = *shared_profile();
    KvCodingClass& coding_class = profile.levels.front().classes.front();
    coding_class.reach = static_cast<uint8_t>(reach);
    coding_class.frequencies.assign(2 * static_cast<size_t>(reach) + 1, 1);
    coding_class.frequencies.front() = static_cast<uint16_t>(kRansTotal - 2 * static_cast<uint32_t>(reach));
    EXPECT_EQ(KvProfile::parse(profile.serialise()).status().code(), StatusCode::kCorruption) << reach;
  }
}

TEST(KvCalibration, RefusesTooLittleAndOddShapes) {
  KvCalibrator little(kShape);
  EXPECT_EQ(little.finish({}).status().code(), StatusCode::kUsage);
  KvCalibrator odd({.n_layers = 1, .n_kv_heads = 1, .head_dim = 10});
  EXPECT_EQ(odd.finish({}).status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(kv_group_dim(1024), 128);
  EXPECT_EQ(kv_group_dim(192), 96);
  EXPECT_EQ(kv_group_dim(32), 32);
}

// Error of what a level gives back, relative to the part's size.
double relative_error(const KvCodec& codec, const LayerKv& kv, int n_tokens) {
  std::vector<std::byte> payload;
  EXPECT_TRUE(codec.encode_layer(0, n_tokens, kv.keys, kv.values, payload).ok());
  std::vector<f16> keys(kv.keys.size()), values(kv.values.size());
  EXPECT_TRUE(codec.decode_layer(0, n_tokens, payload, keys, values).ok());
  double error = 0;
  double size = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    error += std::pow(to_f32(keys[i]) - to_f32(kv.keys[i]), 2) + std::pow(to_f32(values[i]) - to_f32(kv.values[i]), 2);
    size += std::pow(to_f32(kv.keys[i]), 2) + std::pow(to_f32(kv.values[i]), 2);
  }
  return std::sqrt(error / size);
}

TEST(KvCalibration, KeepsAsManyTokensAsItMayAndIsAsGood) {
  constexpr int kTokens = 3000;
  const KvShape shape{.n_layers = 1, .n_kv_heads = kShape.n_kv_heads, .head_dim = kShape.head_dim};
  const size_t token_bytes = 2 * static_cast<size_t>(shape.kv_dim()) * sizeof(float);
  const LayerKv fresh = make_layer(shape, 0, 77, 400);
  const auto error_when_kept = [&](size_t kept_tokens) {
    KvCalibrator calibrator(shape, kTokens, kept_tokens * token_bytes);
    for (uint64_t seed = 0; seed < kTokens / 100; ++seed) {  // in pieces that strides do not divide
      const LayerKv kv = make_layer(shape, 0, seed, 100);
      calibrator.add(0, 100, kv.keys, kv.values);
    }
    EXPECT_LE(calibrator.n_kept_tokens(), kept_tokens);
    EXPECT_GT(calibrator.n_kept_tokens(), kept_tokens / 2);
    auto profile = calibrator.finish({});
    EXPECT_TRUE(profile.ok()) << profile.status().message();
    auto codec = make_kv_codec(shape, KvLevel::kMedium, std::make_shared<const KvProfile>(*std::move(profile)));
    EXPECT_TRUE(codec.ok());
    return relative_error(**codec, fresh, 400);
  };
  const double all = error_when_kept(kTokens);
  for (const size_t kept : {1000u, 433u}) EXPECT_LT(error_when_kept(kept), 1.05 * all) << kept;
}

TEST(KvCalibration, ConstantChannelsAreNoTrouble) {
  KvCalibrator calibrator({.n_layers = 1, .n_kv_heads = 1, .head_dim = 16});
  const std::vector<f16> constant(16 * 300, to_f16(2.0f));
  calibrator.add(0, 300, constant, constant);
  auto profile = calibrator.finish({});
  ASSERT_TRUE(profile.ok());
  auto codec = make_kv_codec(profile->shape, KvLevel::kLow, std::make_shared<const KvProfile>(*profile));
  ASSERT_TRUE(codec.ok());
  std::vector<std::byte> payload;
  ASSERT_TRUE((*codec)->encode_layer(0, 300, constant, constant, payload).ok());
  std::vector<f16> keys(constant.size()), values(constant.size());
  ASSERT_TRUE((*codec)->decode_layer(0, 300, payload, keys, values).ok());
  for (const f16 value : keys) EXPECT_NEAR(to_f32(value), 2.0f, 0.01f);
}

TEST(ExactCodec, TakesTheShareThatEachFormatAllows) {
  const LayerKv kv = make_layer(kShape, 0, 7, 512);
  std::vector<f16> keys(kv.keys), values(kv.values);
  for (auto* part : {&keys, &values}) {
    for (f16& value : *part) value.bits = static_cast<uint16_t>(std::bit_cast<uint32_t>(to_f32(value)) >> 16);
  }
  std::vector<std::byte> half, brain;
  ASSERT_TRUE(make_exact_codec(kShape)->encode_layer(0, 512, kv.keys, kv.values, half).ok());
  ASSERT_TRUE(make_exact_codec(kShape, NumberFormat::kBf16)->encode_layer(0, 512, keys, values, brain).ok());
  EXPECT_GT(4.0 * static_cast<double>(kv.keys.size()) / static_cast<double>(half.size()), 1.12);
  EXPECT_GT(4.0 * static_cast<double>(kv.keys.size()) / static_cast<double>(brain.size()), 1.35);
}

struct Coded {
  double bits_per_element = 0;
  double error = 0;  // of the keys
};
Coded code_with(const KvCodec& codec) {
  const int n = 500;
  Coded result;
  for (int layer = 0; layer < kShape.n_layers; ++layer) {
    const LayerKv kv = make_layer(kShape, layer, 77, n);
    std::vector<std::byte> payload;
    EXPECT_TRUE(codec.encode_layer(layer, n, kv.keys, kv.values, payload).ok());
    LayerKv back{std::vector<f16>(kv.keys.size()), std::vector<f16>(kv.values.size())};
    EXPECT_TRUE(codec.decode_layer(layer, n, payload, back.keys, back.values).ok());
    result.bits_per_element +=
        4.0 * static_cast<double>(payload.size()) / static_cast<double>(kv.keys.size()) / kShape.n_layers;
    result.error += relative_error(kv.keys, back.keys, kShape.kv_dim()) / kShape.n_layers;
  }
  return result;
}

TEST(Cachegen, BinsBoundTheErrorAndLevelsTradeItForBits) {
  const Coded high = code_with(*cachegen_codec("cachegen", KvLevel::kHigh));
  const Coded medium = code_with(*cachegen_codec("cachegen", KvLevel::kMedium));
  const Coded low = code_with(*cachegen_codec("cachegen", KvLevel::kLow));
  EXPECT_LT(high.error, medium.error);
  EXPECT_LT(medium.error, low.error);
  EXPECT_GT(high.bits_per_element, medium.bits_per_element);
  EXPECT_GT(medium.bits_per_element, low.bits_per_element);
  EXPECT_LT(high.error, 0.35);
  EXPECT_LT(medium.bits_per_element, 4.0);
}

TEST(Cachegen, ATablePerChannelAndLayerSavesBits) {
  EXPECT_LE(code_with(*cachegen_codec("cachegen")).bits_per_element,
            code_with(*cachegen_codec("cachegen-one-table")).bits_per_element);
}

TEST(Cachegen, DifferencesSaveBitsWhereNeighboursAreAlike) {
  // A slow walk per channel: a token is like those before it.
  const KvShape shape{.n_layers = 1, .n_kv_heads = 1, .head_dim = 32};
  const auto walk = [&](uint64_t seed, int n) {
    Random random(seed);
    std::vector<float> at(32, 0.0f);
    for (float& value : at) value = 8 * random.gaussian();
    std::vector<f16> out;
    for (int t = 0; t < n; ++t) {
      for (float& value : at) {
        value = 0.995f * value + 0.2f * random.gaussian();
        out.push_back(to_f16(value));
      }
    }
    return out;
  };
  CachegenCalibrator calibrator(shape);
  for (uint64_t seed = 0; seed < 20; ++seed) calibrator.add(0, 200, walk(seed, 200), walk(seed + 100, 200));
  size_t bytes[2];
  for (const bool differences : {false, true}) {
    auto profile = calibrator.finish(KvLevel::kMedium, {.differences = differences});
    ASSERT_TRUE(profile.ok());
    const auto codec = *make_cachegen_codec(std::make_shared<const CachegenProfile>(*std::move(profile)));
    std::vector<std::byte> payload;
    ASSERT_TRUE(codec->encode_layer(0, 200, walk(500, 200), walk(600, 200), payload).ok());
    bytes[differences] = payload.size();
  }
  EXPECT_LT(bytes[true], bytes[false]);
}

TEST(Cachegen, RefusesTooLittleText) {
  EXPECT_EQ(CachegenCalibrator(kShape).finish(KvLevel::kMedium, {}).status().code(), StatusCode::kUsage);
  EXPECT_EQ(make_cachegen_codec(nullptr).status().code(), StatusCode::kUsage);
}

// The integers of the synthesis are exact, so every path must give the bits of the plain one.
TEST(CodecKernels, EveryPathGivesTheSameBits) {
  Random random(13);
  for (const int m : {16, 32, 48, 64, 96, 128}) {
    const int k = 1 + static_cast<int>(random.below(128));
    const int rows = 1 + static_cast<int>(random.below(kKernelTokens));
    const int n_pairs = (k + 1) / 2;
    std::vector<float> a(rows * k), b(k * m), init(m), scale(m);
    for (auto* values : {&a, &b, &init, &scale}) {
      for (float& value : *values) value = random.gaussian();
    }
    std::vector<uint8_t> symbols(k * 40 + kKernelTokens);
    for (uint8_t& symbol : symbols) symbol = static_cast<uint8_t>(random.below(256));
    std::vector<int16_t> reach(k), shrink(k), basis(n_pairs * m * 2);
    for (int16_t& value : reach) value = static_cast<int16_t>(random.below(128));
    for (int16_t& value : shrink) value = static_cast<int16_t>(static_cast<int>(random.below(33)) - 16);
    for (int16_t& value : basis) value = static_cast<int16_t>(static_cast<int>(random.below(4095)) - 2047);
    std::vector<f16> halves(m);
    for (f16& value : halves) value.bits = static_cast<uint16_t>(random.next());
    std::vector<float> wide(m);  // components of all sizes, NaN and infinities among them
    for (int i = 0; i < m; ++i) wide[i] = i % 3 == 0 ? to_f32(halves[i]) : 50 * init[i];
    const auto run = [&](std::string_view path) {
      const CodecKernels& kernels = codec_kernels(path);
      std::vector<float> out(rows * m), centred(m), added(m);
      std::vector<int16_t> pairs(n_pairs * kKernelTokens * 2);
      std::vector<f16> half(rows * m), added_half(m);
      kernels.multiply({.a = a.data(),
                        .a_stride = k,
                        .b = b.data(),
                        .init = init.data(),
                        .out = out.data(),
                        .out_stride = m,
                        .n_rows = rows,
                        .depth = k,
                        .n_columns = m});
      kernels.centre(halves.data(), init.data(), m, centred.data());
      std::vector<uint8_t> turned(static_cast<size_t>(k) * 40);
      kernels.transpose(symbols.data(), k, 37, k, turned.data(), 40);
      kernels.unpack(symbols.data(), 40, k, reach.data(), shrink.data(), pairs.data());
      kernels.synthesise({.pairs = pairs.data(),
                          .n_tokens = rows,
                          .n_pairs = n_pairs,
                          .basis = basis.data(),
                          .n_channels = m,
                          .scale = scale.data(),
                          .mean = init.data(),
                          .out = half.data(),
                          .out_stride = m});
      kernels.add_differences(symbols.data(), 100.0f, scale.data(), init.data(), std::min(m, 32), nullptr,
                              added.data());
      kernels.add_differences(symbols.data(), 3.0f, scale.data(), init.data(), std::min(m, 32), added_half.data(),
                              nullptr);
      std::vector<uint32_t> bits;
      std::vector<uint8_t> quantised(m);
      std::vector<float> whole(m);
      for (int i = 0; i < m; ++i) {
        const int half = symbols[i] / 2;
        whole[i] = static_cast<float>(half);
      }
      bits.push_back(kernels.quantise(wide.data(), scale.data(), whole.data(), m, quantised.data()) ? 1 : 0);
      for (const uint8_t symbol : quantised) bits.push_back(symbol);
      for (int i = 0; i < 37; ++i) {
        for (int j = 0; j < k; ++j) EXPECT_EQ(turned[j * 40 + i], symbols[i * k + j]) << path;
      }
      for (const auto* values : {&out, &centred, &added}) {
        for (const float value : *values) bits.push_back(std::bit_cast<uint32_t>(value));
      }
      for (const int16_t value : pairs) bits.push_back(static_cast<uint16_t>(value));
      for (const auto* values : {&half, &added_half}) {
        for (const f16 value : *values) bits.push_back(value.bits);
      }
      return bits;
    };
    const std::vector<uint32_t> expected = run("scalar");
    for (const std::string_view path : codec_paths()) EXPECT_EQ(run(path), expected) << path << " " << m << " " << k;
  }
}

TEST(CodecKernels, SynthesisIsTheProductItStandsFor) {
  std::vector<uint8_t> symbols(3 * 2 + kKernelTokens);  // three components of two tokens
  std::copy_n(std::array<uint8_t, 6>{5, 9, 2, 2, 0, 4}.begin(), 6, symbols.begin());
  const std::vector<int16_t> reach = {4, 4, 2}, shrink = {1, 1, 2};
  std::vector<int16_t> pairs(2 * kKernelTokens * 2), basis(2 * 16 * 2, 0);
  for (int c = 0; c < 16; ++c) {
    basis[c * 2] = 100;           // component 0
    basis[c * 2 + 1] = 7;         // component 1
    basis[16 * 2 + c * 2] = -50;  // component 2
  }
  const CodecKernels& kernels = codec_kernels("scalar");
  kernels.unpack(symbols.data(), 2, 3, reach.data(), shrink.data(), pairs.data());
  const std::vector<float> scale(16, 0.5f), mean(16, 1.0f);
  std::vector<f16> out(32);
  kernels.synthesise({.pairs = pairs.data(),
                      .n_tokens = 2,
                      .n_pairs = 2,
                      .basis = basis.data(),
                      .n_channels = 16,
                      .scale = scale.data(),
                      .mean = mean.data(),
                      .out = out.data(),
                      .out_stride = 16});
  // Token 0: 1, -2, -2 steps of 16, drawn in; token 1: 5, -2, 2.
  EXPECT_EQ(to_f32(out[0]), to_f32(to_f16(1 + 0.5f * (15 * 100 - 31 * 7 + 30 * 50))));
  EXPECT_EQ(to_f32(out[16]), to_f32(to_f16(1 + 0.5f * (79 * 100 - 31 * 7 - 30 * 50))));
}

}  // namespace
}  // namespace mneme::engine
