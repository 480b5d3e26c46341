// What the transform codec encodes with, on the device: its coding tables and what symbols cost and, of every layer,
// the groups' ways to components, steps and reaches. Some 30 MB for a large model. Ownership: keeps the profile, by
// which it is known. Threads: immutable once made.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/backend/cuda/codec_analysis.h"
#include "engine/backend/cuda/device.h"
#include "engine/codec/codec_transform.h"

namespace mneme::engine::cuda {

class EncodingTables {
 public:
  // Of one layer; the device's addresses.
  struct Layer {
    const AnalysisGroup* groups = nullptr;
    const float* steps = nullptr;     // (row)
    const int16_t* reach = nullptr;   // (row)
    const uint8_t* tables = nullptr;  // (row + 1): of each component, then that of padding
  };

  // Copies up on the compute stream. kResource.
  static Result<std::unique_ptr<EncodingTables>> make(Device& device, const TransformCodec& codec);

  bool is_of(const TransformCodec& codec) const { return profile_ == codec.profile() && level_ == codec.level(); }
  const RansTables::Step* steps() const { return steps_; }   // 256 per coding table
  const uint32_t* costs() const { return costs_; }           // 256 per coding table but padding's
  const float* step_scales() const { return step_scales_; }  // (kTransformScales)
  const Layer& layer(int layer) const { return layers_[static_cast<size_t>(layer)]; }

 private:
  EncodingTables(std::shared_ptr<const KvProfile> profile, KvLevel level, DeviceBuffer memory)
      : profile_(std::move(profile)), level_(level), memory_(std::move(memory)) {}

  const std::shared_ptr<const KvProfile> profile_;
  const KvLevel level_;
  const DeviceBuffer memory_;
  const RansTables::Step* steps_ = nullptr;
  const uint32_t* costs_ = nullptr;
  const float* step_scales_ = nullptr;
  std::vector<Layer> layers_;
};

}  // namespace mneme::engine::cuda
