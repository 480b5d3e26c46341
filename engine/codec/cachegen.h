// CacheGen's codec as published (SIGCOMM 2024, section 5.2), to be measured beside the transform codec: groups of ten
// tokens, the first (the anchor) in 8 bits, the others as differences to it, in bins that grow with depth, entropy
// coded with one model-wide table per (layer, channel, keys or values) from calibration text. Each idea can be switched
// off, which gives the paper's ablation.
// Departures: bins are in units of the standard deviation of a channel's differences in the calibration text (the paper
// scales by vector and leaves the unit open); the entropy coder is interleaved rANS instead of arithmetic coding.
// Ownership: plain values. Threads: immutable after calibration.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/codec/rans.h"

namespace mneme::engine {

inline constexpr int kCachegenGroup = 10;  // tokens; the first is the anchor

struct CachegenOptions {
  bool differences = true;     // off: every token is coded by itself, relative to the channel's mean
  bool layer_bins = true;      // off: one bin size for all layers
  bool channel_tables = true;  // off: one table for all differences and one for all anchors of the model
};

// "cachegen", or an ablation: "cachegen-no-differences", "cachegen-one-bin", "cachegen-one-table".
std::optional<CachegenOptions> cachegen_options(std::string_view name);
std::string_view cachegen_name(const CachegenOptions& options);

struct CachegenLayer {
  // [part](kv_dim):
  std::array<std::vector<float>, 2> mean;
  std::array<std::vector<float>, 2> bin;  // > 0
  // Integers -reach .. reach have a code, others are exceptions. [part]
  std::array<uint8_t, 2> reach{};
  // Keys' channels, then values'; or one table for all.
  std::vector<RansFrequencies> anchor_tables;
  std::vector<RansFrequencies> difference_tables;
};

struct CachegenProfile {
  KvShape shape;
  CachegenOptions options;
  KvLevel level = KvLevel::kMedium;
  std::vector<CachegenLayer> layers;
};

class CachegenCalibrator {
 public:
  explicit CachegenCalibrator(const KvShape& shape) : shape_(shape), windows_(shape.n_layers) {}

  // One window of text; groups start with it.
  void add(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values);

  // level: high, medium, low: bins of half, one and twice the paper's size. kUsage when a layer has too little text.
  Result<CachegenProfile> finish(KvLevel level, const CachegenOptions& options) const;

 private:
  using Window = std::array<std::vector<f16>, 2>;  // [part](n_tokens, kv_dim)
  KvShape shape_;
  std::vector<std::vector<Window>> windows_;  // [layer]
};

Result<std::unique_ptr<KvCodec>> make_cachegen_codec(std::shared_ptr<const CachegenProfile> profile);

namespace cachegen_detail {

// The scale of an anchor row, and the integer of one of its numbers: 8 bits. NaN and infinities count as zero.
f16 anchor_scale(std::span<const f16> row);
int anchor_integer(f16 value, f16 scale);
// What the integer reads back as.
inline float anchor_unit(f16 scale) {
  return to_f32(scale) / 127.0f;
}
// The nearest bin of value - base; 0 for NaN and infinities. Within +-kMostDifference, which stands for all beyond as
// well.
inline constexpr int kMostDifference = 32767;
int difference_integer(f16 value, float base, float bin);

}  // namespace cachegen_detail

}  // namespace mneme::engine
