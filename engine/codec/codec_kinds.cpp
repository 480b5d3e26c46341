#include "engine/codec/codec_kinds.h"

#include <utility>
#include <vector>

#include "engine/codec/layer_kinds.h"

namespace mneme::engine {
namespace {

class KindsCodec final : public KvCodec {
 public:
  KindsCodec(const KvShape& shape, LayerKinds kinds, std::vector<std::unique_ptr<KvCodec>> codecs)
      : shape_(shape), kinds_(std::move(kinds)), codecs_(std::move(codecs)) {}

  std::string_view name() const override { return codecs_.front()->name(); }
  KvLevel level() const override { return codecs_.front()->level(); }
  uint32_t id() const override { return codecs_.front()->id(); }
  const KvShape& shape() const override { return shape_; }

  double decode_operations() const override {
    double operations = 0;
    double numbers = 0;
    for (size_t kind = 0; kind < codecs_.size(); ++kind) {
      const KvShape& own = kinds_.shapes[kind];
      const double of_kind = static_cast<double>(own.kv_dim()) * own.n_layers;
      operations += codecs_[kind]->decode_operations() * of_kind;
      numbers += of_kind;
    }
    return numbers > 0 ? operations / numbers : 0;
  }

  Status encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                      std::vector<std::byte>& out) const override {
    MNEME_RETURN_IF_ERROR(check(layer));
    const LayerKinds::Place& place = kinds_.of(layer);
    return codec_of(place).encode_layer(place.index, n_tokens, keys, values, out);
  }

  Status decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                      std::span<f16> values) const override {
    MNEME_RETURN_IF_ERROR(check(layer));
    const LayerKinds::Place& place = kinds_.of(layer);
    return codec_of(place).decode_layer(place.index, n_tokens, payload, keys, values);
  }

 private:
  Status check(int layer) const {
    if (layer >= 0 && layer < shape_.n_layers) return {};
    return usage_error("there is no layer " + std::to_string(layer) + " of keys and values");
  }
  const KvCodec& codec_of(const LayerKinds::Place& place) const { return *codecs_[static_cast<size_t>(place.kind)]; }

  const KvShape shape_;
  const LayerKinds kinds_;
  const std::vector<std::unique_ptr<KvCodec>> codecs_;
};

}  // namespace

Result<std::unique_ptr<KvCodec>> make_kinds_codec(const KvShape& shape, const MakeKindCodec& make) {
  LayerKinds kinds = layer_kinds(shape);
  std::vector<std::unique_ptr<KvCodec>> codecs;
  for (size_t kind = 0; kind < kinds.size(); ++kind) {
    MNEME_ASSIGN_OR_RETURN(codecs.emplace_back(), make(kind, kinds.shapes[kind]));
  }
  if (codecs.empty()) return usage_error("there are no layers of keys and values to be coded");
  return std::unique_ptr<KvCodec>(std::make_unique<KindsCodec>(shape, std::move(kinds), std::move(codecs)));
}

}  // namespace mneme::engine
