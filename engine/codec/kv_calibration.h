// Makes a KvProfile from KV of calibration text, once per model when it is registered.
// Threads: one at a time per object.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "engine/codec/kv_profile.h"

namespace mneme::engine {

// Bits per number each level may spend on the calibration text (fp16 has 16), and how errors in keys weigh against
// those in values.
struct KvCalibrationOptions {
  std::array<double, 3> bits_per_element = {3.12, 1.45, 0.90};  // high, medium, low: 5.1x, 11x, 17.8x
  double key_weight = 2.5;
};

class KvCalibrator {
 public:
  explicit KvCalibrator(const KvShape& shape);

  // KV of n_tokens of one layer, in the layout of KvCodec. Kept until finish().
  void add(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values);
  // Queries of the same layer, (n, n_heads, head_dim), before or after RoPE: which channels of the keys they read.
  void add_queries(int layer, int n, int n_heads, std::span<const float> queries);

  // kUsage when a layer has fewer tokens than it needs, kUnsupported for a shape without a group size.
  Result<KvProfile> finish(const KvCalibrationOptions& options, const CancelToken& cancel = never_cancelled());

 private:
  std::vector<float> fit_basis(int layer, int part, double key_weight, KvProfile& profile) const;

  KvShape shape_;
  std::vector<std::array<std::vector<f16>, 2>> samples_;  // [layer][part]
  std::vector<std::vector<double>> query_energy_;         // [layer](kv_dim)
};

}  // namespace mneme::engine
