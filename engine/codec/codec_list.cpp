#include "engine/codec/codec_list.h"

#include <string>

namespace mneme::engine {

Result<std::unique_ptr<KvCodec>> make_kv_codec(const KvShape& shape, KvLevel level,
                                               std::shared_ptr<const KvProfile> profile) {
  if (level == KvLevel::kExact) return make_exact_codec(shape);
  if (profile != nullptr &&
      (profile->shape.n_layers != shape.n_layers || profile->shape.n_kv_heads != shape.n_kv_heads ||
       profile->shape.head_dim != shape.head_dim)) {
    return usage_error("the KV calibration profile is of another model; calibrate this one.");
  }
  return make_transform_codec(std::move(profile), level);
}

Result<std::unique_ptr<KvCodec>> make_kv_codec_by_name(std::string_view name, const KvShape& shape, KvLevel level,
                                                       std::shared_ptr<const KvProfile> profile) {
  if (name == "raw") return make_raw_codec(shape);
  if (name == "exact") return make_exact_codec(shape);
  if (name == "exact-bf16") return make_exact_codec(shape, NumberFormat::kBf16);
  if (name == "uniform8") return make_uniform_codec(shape, 8);
  if (name == "uniform4") return make_uniform_codec(shape, 4);
  if (name == "transform") {
    return make_kv_codec(shape, level == KvLevel::kExact ? KvLevel::kMedium : level, std::move(profile));
  }
  return usage_error("there is no KV codec named \"" + std::string(name) +
                     "\"; there are raw, exact, exact-bf16, uniform8, uniform4, transform.");
}

}  // namespace mneme::engine
