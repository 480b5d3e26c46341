#include "rag/kv_reuse/forms_codec.h"

#include <utility>

namespace mneme::rag {
namespace {

class FormsCodec final : public engine::KvCodec {
 public:
  explicit FormsCodec(std::vector<const engine::KvCodec*> forms) : forms_(std::move(forms)) {}

  std::string_view name() const override { return "forms"; }
  engine::KvLevel level() const override { return forms_.front()->level(); }
  uint32_t id() const override { return 0; }  // never stored
  const engine::KvShape& shape() const override { return forms_.front()->shape(); }

  Status encode_layer(int, int, std::span<const f16>, std::span<const f16>, std::vector<std::byte>&) const override {
    return unsupported("a layer is stored in one form, by that form's codec");
  }

  Status decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                      std::span<f16> values) const override {
    MNEME_ASSIGN_OR_RETURN(const engine::CodedLayer coded, resolve(payload));
    return coded.codec->decode_layer(layer, n_tokens, coded.payload, keys, values);
  }

  Result<engine::CodedLayer> resolve(ByteSpan payload) const override {
    if (payload.empty() || static_cast<size_t>(payload.back()) >= forms_.size()) {
      return corruption("a KV layer does not say in which form it came");
    }
    return forms_[static_cast<size_t>(payload.back())]->resolve(payload.first(payload.size() - 1));
  }

 private:
  const std::vector<const engine::KvCodec*> forms_;
};

}  // namespace

std::unique_ptr<engine::KvCodec> make_forms_codec(std::vector<const engine::KvCodec*> forms) {
  return std::make_unique<FormsCodec>(std::move(forms));
}

void mark_form(size_t form, std::vector<std::byte>& payload) {
  payload.push_back(static_cast<std::byte>(form));
}

}  // namespace mneme::rag
