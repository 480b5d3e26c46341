#include <cstring>

#include "engine/codec/codec.h"

namespace mneme::engine {
namespace {

constexpr uint32_t kRawId = 1;

class RawCodec final : public KvCodec {
 public:
  explicit RawCodec(const KvShape& shape) : shape_(shape) {}

  std::string_view name() const override { return "raw"; }
  KvLevel level() const override { return KvLevel::kExact; }
  uint32_t id() const override { return kRawId; }
  const KvShape& shape() const override { return shape_; }

  Status encode_layer(int, int, std::span<const f16> keys, std::span<const f16> values,
                      std::vector<std::byte>& out) const override {
    const ByteSpan key_bytes = std::as_bytes(keys);
    const ByteSpan value_bytes = std::as_bytes(values);
    out.insert(out.end(), key_bytes.begin(), key_bytes.end());
    out.insert(out.end(), value_bytes.begin(), value_bytes.end());
    return {};
  }

  Status decode_layer(int, int, ByteSpan payload, std::span<f16> keys, std::span<f16> values) const override {
    if (payload.size() != keys.size_bytes() + values.size_bytes()) {
      return corruption("a raw KV layer holds " + std::to_string(payload.size()) + " bytes where " +
                        std::to_string(keys.size_bytes() + values.size_bytes()) + " were expected");
    }
    if (payload.empty()) return {};  // memcpy wants real addresses even for nothing
    std::memcpy(keys.data(), payload.data(), keys.size_bytes());
    std::memcpy(values.data(), payload.data() + keys.size_bytes(), values.size_bytes());
    return {};
  }

 private:
  KvShape shape_;
};

}  // namespace

std::unique_ptr<KvCodec> make_raw_codec(const KvShape& shape) {
  return std::make_unique<RawCodec>(shape);
}

}  // namespace mneme::engine
