// Uniform quantisation with 8 or 4 bits and one scale per token and head: the baseline the papers compare with.
//   layer := part(keys) part(values)      part := scale:f16[n_tokens, n_kv_heads] integers (packed, low nibble first)
#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/codec/codec_list.h"

namespace mneme::engine {

namespace {

constexpr uint32_t kUniformId = 0x200;  // + bits

class UniformCodec final : public KvCodec {
 public:
  UniformCodec(const KvShape& shape, int bits) : shape_(shape), bits_(bits) {}

  std::string_view name() const override { return bits_ == 8 ? "uniform8" : "uniform4"; }
  KvLevel level() const override { return KvLevel::kHigh; }
  uint32_t id() const override { return kUniformId + static_cast<uint32_t>(bits_); }
  const KvShape& shape() const override { return shape_; }
  double decode_operations() const override { return 1; }

  Status encode_layer(int, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                      std::vector<std::byte>& out) const override {
    if (keys.size() != elements(n_tokens) || values.size() != elements(n_tokens)) {
      return usage_error("KV does not fit the codec's shape.");
    }
    encode_part(keys, out);
    encode_part(values, out);
    return {};
  }

  Status decode_layer(int, int n_tokens, ByteSpan payload, std::span<f16> keys, std::span<f16> values) const override {
    if (keys.size() != elements(n_tokens) || values.size() != elements(n_tokens)) {
      return usage_error("KV does not fit the codec's shape.");
    }
    if (payload.size() != 2 * part_bytes(keys.size())) return corruption("an encoded KV layer has a wrong length");
    decode_part(payload.first(part_bytes(keys.size())), keys);
    decode_part(payload.subspan(part_bytes(keys.size())), values);
    return {};
  }

 private:
  size_t elements(int n_tokens) const { return static_cast<size_t>(std::max(n_tokens, 0)) * shape_.kv_dim(); }
  size_t head() const { return static_cast<size_t>(shape_.head_dim); }
  size_t part_bytes(size_t count) const { return count / head() * sizeof(f16) + (count * bits_ + 7) / 8; }
  int limit() const { return bits_ == 8 ? 127 : 7; }

  void encode_part(std::span<const f16> in, std::vector<std::byte>& out) const {
    const size_t base = out.size();
    out.resize(base + part_bytes(in.size()));
    auto* scales = out.data() + base;
    auto* packed = reinterpret_cast<uint8_t*>(scales + in.size() / head() * sizeof(f16));
    std::fill(packed, reinterpret_cast<uint8_t*>(out.data() + out.size()), uint8_t{0});
    for (size_t h = 0; h < in.size() / head(); ++h) {
      float largest = 0;
      for (size_t i = 0; i < head(); ++i) {
        const float value = std::fabs(to_f32(in[h * head() + i]));
        if (std::isfinite(value)) largest = std::max(largest, value);
      }
      const f16 scale = to_f16(largest / static_cast<float>(limit()));
      std::memcpy(scales + h * sizeof(f16), &scale, sizeof(scale));
      const float inverse = to_f32(scale) > 0 ? 1.0f / to_f32(scale) : 0.0f;
      for (size_t i = 0; i < head(); ++i) {
        const float value = to_f32(in[h * head() + i]);
        const float scaled = std::isfinite(value) ? std::nearbyint(value * inverse) : 0.0f;
        const int integer = static_cast<int>(std::clamp<float>(scaled, -limit(), limit())) + limit();
        const size_t at = h * head() + i;
        if (bits_ == 8) {
          packed[at] = static_cast<uint8_t>(integer);
        } else {
          packed[at / 2] = static_cast<uint8_t>(packed[at / 2] | integer << (at % 2 * 4));
        }
      }
    }
  }

  void decode_part(ByteSpan in, std::span<f16> out) const {
    const auto* packed = reinterpret_cast<const uint8_t*>(in.data() + out.size() / head() * sizeof(f16));
    for (size_t h = 0; h < out.size() / head(); ++h) {
      f16 scale;
      std::memcpy(&scale, in.data() + h * sizeof(f16), sizeof(scale));
      const float step = to_f32(scale);
      for (size_t i = 0; i < head(); ++i) {
        const size_t at = h * head() + i;
        const int integer = bits_ == 8 ? packed[at] : packed[at / 2] >> (at % 2 * 4) & 15;
        out[at] = to_f16(static_cast<float>(integer - limit()) * step);
      }
    }
  }

  KvShape shape_;
  int bits_;
};

}  // namespace

std::unique_ptr<KvCodec> make_uniform_codec(const KvShape& shape, int bits) {
  return std::make_unique<UniformCodec>(shape, bits == 4 ? 4 : 8);
}

}  // namespace mneme::engine
