// KV as models make it, and codecs that were calibrated on it: for tests of what a device encodes and decodes.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/f16.h"
#include "base/random.h"
#include "engine/codec/codec_list.h"
#include "engine/codec/kv_calibration.h"

namespace mneme::engine::cuda {

// (n_tokens, channels): few hidden directions mixed into all channels, `scale` times as strong as calibrated.
inline std::vector<f16> make_kv(uint64_t seed, int n_tokens, int channels, float scale, bool far_out = true) {
  constexpr int kHidden = 10;
  Random fixed(7);
  std::vector<float> mix(static_cast<size_t>(kHidden) * static_cast<size_t>(channels));
  for (float& m : mix) m = fixed.gaussian();
  Random random(seed);
  std::vector<f16> out;
  for (int t = 0; t < n_tokens; ++t) {
    float hidden[kHidden];
    for (int h = 0; h < kHidden; ++h) hidden[h] = scale * random.gaussian() * 4.0f / static_cast<float>(h + 1);
    // Now and then a token far out, but not so far that a level cannot say it: its integers do not fit 8 bits, nor 12.
    if (far_out && random.below(29) == 0) hidden[random.below(kHidden)] *= 35.0f;
    for (int c = 0; c < channels; ++c) {
      float value = 1.0f + 0.05f * random.gaussian();
      for (int h = 0; h < kHidden; ++h)
        value += hidden[h] * mix[static_cast<size_t>(h) * static_cast<size_t>(channels) + static_cast<size_t>(c)];
      out.push_back(to_f16(value));
    }
  }
  return out;
}

inline std::unique_ptr<KvCodec> make_codec(const KvShape& shape, KvLevel level) {
  KvCalibrator calibrator(shape);
  for (int layer = 0; layer < shape.n_layers; ++layer)
    calibrator.add(layer, 400, make_kv(1, 400, shape.kv_dim(), 1.0f), make_kv(2, 400, shape.kv_dim(), 1.0f));
  auto profile = calibrator.finish({});
  EXPECT_TRUE(profile.ok()) << profile.status().message();
  return *make_kv_codec(shape, level, std::make_shared<const KvProfile>(*std::move(profile)));
}

}  // namespace mneme::engine::cuda
