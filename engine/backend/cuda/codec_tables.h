// What the transform codec decodes with, on the device: its coding tables and, of every layer, the components and the
// groups' bases. Some megabytes for a large model. Ownership: keeps the profile, by which it is known. Threads:
// immutable once made.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/backend/cuda/codec_synthesis.h"
#include "engine/backend/cuda/device.h"
#include "engine/codec/codec_transform.h"

namespace mneme::engine::cuda {

class CodecTables {
 public:
  // Of one layer; the device's addresses.
  struct Layer {
    const GroupRef* groups = nullptr;
    const uint8_t* tables = nullptr;      // (row + 1): of each component, then that of padding
    const uint32_t* stretches = nullptr;  // as RansJob has them
    const int16_t* reach = nullptr;       // (row)
    const int16_t* shrink = nullptr;      // (row)
  };

  // Copies up on the copy stream. kResource.
  static Result<std::unique_ptr<CodecTables>> make(Device& device, const TransformCodec& codec);

  bool is_of(const TransformCodec& codec) const { return profile_ == codec.profile() && level_ == codec.level(); }
  const uint32_t* entries() const { return entries_; }
  // As RansJob has them; null where the device does not take them.
  const std::byte* packed() const { return packed_; }
  int n_tables() const { return n_tables_; }
  const Layer& layer(int layer) const { return layers_[static_cast<size_t>(layer)]; }

 private:
  CodecTables(const TransformCodec& codec, DeviceBuffer memory)
      : profile_(codec.profile()),
        level_(codec.level()),
        n_tables_(codec.tables().size()),
        memory_(std::move(memory)) {}

  const std::shared_ptr<const KvProfile> profile_;
  const KvLevel level_;
  const int n_tables_;
  const DeviceBuffer memory_;
  const uint32_t* entries_ = nullptr;
  const std::byte* packed_ = nullptr;
  std::vector<Layer> layers_;
};

}  // namespace mneme::engine::cuda
