// What calibration learns about one model's KV, once, and every chunk of that model is coded with: a basis per layer,
// part (keys, values) and group of channels, in which few numbers carry most of it; and per level the quantisation step
// and the coding table of each of those numbers. Serialised with a version; format: kv_payload_format.md.
// Ownership: a plain value, shared read-only by the codecs made from it. Threads: immutable after calibration.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/f16.h"
#include "base/hash.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/codec/rans.h"

namespace mneme::engine {

enum class KvPart : uint8_t { kKeys = 0, kValues = 1 };

// The basis of the channels of one part of one layer. Channels are cut into groups of `group_dim`.
struct KvBasis {
  std::vector<float> mean;    // (kv_dim)
  std::vector<float> weight;  // (kv_dim), > 0: how much an error in the channel matters
  std::vector<f16> vectors;   // (n_groups, group_dim components, group_dim channels); components by falling variance
};

// How one level codes one part of one layer.
struct KvPartLevel {
  float step = 1.0f;
  std::vector<uint8_t> classes;  // (kv_dim) coding table of each component; kDropped: not coded, zero
  static constexpr uint8_t kDropped = 255;
};

struct KvCodingClass {
  uint8_t reach = 0;    // codes the integers -reach .. reach; symbol = integer + reach
  float shrink = 0.0f;  // magnitudes are read back this much nearer to zero, in steps
  RansFrequencies frequencies;
};

struct KvLevelProfile {
  std::vector<KvCodingClass> classes;
  std::vector<std::array<KvPartLevel, 2>> layers;  // [layer][part]
  // Bits per number each layer took on the calibration text: what a chunk may take, whatever its text. [layer]
  std::vector<float> layer_bits;
};

struct KvProfile {
  static constexpr uint32_t kVersion = 1;

  KvShape shape;
  // Of a model whose layers differ: what was learnt of each kind (layer_kinds.h), and nothing else here.
  std::vector<KvProfile> kinds;
  int group_dim = 0;                          // divides kv_dim
  std::vector<std::array<KvBasis, 2>> bases;  // [layer][part]
  std::array<KvLevelProfile, 3> levels;       // high, medium, low

  int n_groups() const { return shape.kv_dim() / group_dim; }
  // Bits per number of a level, on average over the layers; 0: there are none.
  double bits_per_element(KvLevel level) const;

  std::vector<std::byte> serialise() const;
  // kCorruption for anything serialise() did not make, kUnsupported for another version. Bounded by the bytes given.
  static Result<KvProfile> parse(ByteSpan bytes);
  // Identity of the calibration: part of the key of what is coded with it.
  Hash128 identity() const { return xxh3_128(serialise()); }

 private:
  std::vector<std::byte> serialise_kinds() const;
  static Result<KvProfile> parse_kinds(ByteReader& reader);
  static Result<KvProfile> parse_one(ByteSpan bytes);
};

// The largest group of channels worth a basis of its own (decoding costs group_dim multiplications per number at most);
// 0 when kv_dim has no divisor that the kernels take.
int kv_group_dim(int kv_dim);

}  // namespace mneme::engine
