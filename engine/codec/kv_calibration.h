// Makes a KvProfile from KV of calibration text, once per model when it is registered.
// Threads: one at a time per object.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "engine/codec/kv_moments.h"
#include "engine/codec/kv_profile.h"

namespace mneme::engine {

// Bits per number each level may spend on the calibration text (fp16 has 16), and how errors in keys weigh against
// those in values.
struct KvCalibrationOptions {
  std::array<double, 3> bits_per_element = {3.12, 1.45, 0.90};  // high, medium, low: 5.1x, 11x, 17.8x
  double key_weight = 2.5;
};

// What a basis is made of is gathered from all KV. Steps and tables are found on tokens that are kept until finish():
// all of them, or as many, evenly spread, as kKeptBytes hold.
class KvCalibrator {
 public:
  static constexpr size_t kKeptBytes = size_t{1} << 30;

  // n_tokens: about how many will be added to each layer; 0: few.
  explicit KvCalibrator(const KvShape& shape, size_t n_tokens = 0, size_t kept_bytes = kKeptBytes);

  // Memory that it takes at most.
  static uint64_t bytes_for(const KvShape& shape, size_t n_tokens);

  // KV of n_tokens of one layer, in the layout of KvCodec.
  void add(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values);
  // Queries of the same layer, (n, n_heads, head_dim), before or after RoPE: which channels of the keys they read.
  void add_queries(int layer, int n, int n_heads, std::span<const float> queries);

  // kUsage when a layer has fewer tokens than it needs, kUnsupported for a shape without a group size.
  // The tokens that were kept are used up by it.
  Result<KvProfile> finish(const KvCalibrationOptions& options, const CancelToken& cancel = never_cancelled());

  // Of each layer, so far.
  size_t n_kept_tokens() const;

 private:
  struct Part {
    KvMoments moments;
    std::vector<f16> kept;  // (tokens, kv_dim)
  };
  struct Layer {
    size_t n_tokens = 0;               // that were added
    std::array<Part, 2> parts;         // keys, values
    std::vector<double> query_energy;  // (kv_dim)
  };

  std::vector<float> fit_basis(int layer, int part, double key_weight, KvProfile& profile);

  KvShape shape_;
  size_t stride_;  // of so many tokens, one is kept
  std::vector<Layer> layers_;
};

}  // namespace mneme::engine
