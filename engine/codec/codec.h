// Codecs for a chunk's KV: one layer at a time, keys before RoPE.
// A codec belongs to one model (its calibration) and one level. Encoded bytes carry no checksum: the chunk file does.
// Encoding is deterministic, and decoding gives the same bits on every CPU and GPU.
// Ownership: borrows nothing beyond a call. Threads: immutable; encode and decode may run concurrently.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/f16.h"
#include "base/status.h"

namespace mneme::engine {

// What users choose by --kv-level. The numbers are stored; never renumber.
enum class KvLevel : uint8_t { kExact = 0, kHigh = 1, kMedium = 2, kLow = 3 };
std::optional<KvLevel> kv_level_from_name(std::string_view name);  // exact high medium low
std::string_view kv_level_name(KvLevel level);

// The heads of a layer's keys and values.
struct KvHeads {
  int n_kv_heads = 0;
  int head_dim = 0;
  bool operator==(const KvHeads&) const = default;
  int kv_dim() const { return n_kv_heads * head_dim; }
};

// The geometry of what is encoded.
struct KvShape {
  int n_layers = 0;
  int n_kv_heads = 0;
  int head_dim = 0;
  std::vector<KvHeads> layers = {};  // n_layers, where layers differ; empty: all have those heads
  bool operator==(const KvShape&) const = default;
  KvHeads heads(int layer) const {
    return layers.empty() ? KvHeads{n_kv_heads, head_dim} : layers[static_cast<size_t>(layer)];
  }
  int kv_dim() const { return n_kv_heads * head_dim; }  // where all layers have those heads
  int kv_dim(int layer) const { return heads(layer).kv_dim(); }
};

class KvCodec;

// One layer's bytes and the codec that made them.
struct CodedLayer {
  const KvCodec* codec = nullptr;
  ByteSpan payload;
};

class KvCodec {
 public:
  virtual ~KvCodec() = default;

  virtual std::string_view name() const = 0;  // "raw", "exact", "cachegen", ...
  virtual KvLevel level() const = 0;
  virtual uint32_t id() const = 0;  // stored in chunk files; identifies codec and format version
  virtual const KvShape& shape() const = 0;

  // Multiply-adds per number that decoding takes beside entropy decoding, on average over the layers.
  virtual double decode_operations() const { return 0; }

  // Appends the encoding of one layer to `out`.
  //   keys, values: (n_tokens, n_kv_heads, head_dim) f16, row-major; keys before RoPE. NaN and infinities are allowed
  //   and do not disturb other elements (lossy levels may replace them by finite values).
  // kUnsupported, and nothing appended, where a lossy level cannot say a number: one so far from what the calibration
  // saw that its integer would be cut off, and quite another number come back.
  virtual Status encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                              std::vector<std::byte>& out) const = 0;

  // Decodes what encode_layer made. kCorruption for anything else: never reads or writes out of bounds, whatever the
  // bytes.
  virtual Status decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                              std::span<f16> values) const = 0;

  // Where payloads of several codecs come under one name: whose this one is, and its bytes. Borrows the payload.
  // kCorruption for one that does not say it.
  virtual Result<CodedLayer> resolve(ByteSpan payload) const { return CodedLayer{this, payload}; }
};

// What encode_layer says then.
Status out_of_range();

// Plain fp16, always available: the baseline and the fallback where a model has no calibration yet.
std::unique_ptr<KvCodec> make_raw_codec(const KvShape& shape);

}  // namespace mneme::engine
