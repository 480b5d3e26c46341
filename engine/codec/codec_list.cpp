#include "engine/codec/codec_list.h"

#include <string>

#include "engine/codec/codec_kinds.h"

namespace mneme::engine {

namespace {

Result<std::unique_ptr<KvCodec>> make_codec_of_kinds(const KvShape& shape, KvLevel level,
                                                     const std::shared_ptr<const KvProfile>& profile) {
  return make_kinds_codec(shape, [&](size_t kind, const KvShape& own) -> Result<std::unique_ptr<KvCodec>> {
    if (level == KvLevel::kExact) return make_exact_codec(own);
    if (profile == nullptr || kind >= profile->kinds.size())
      return usage_error("a level with loss needs the model's KV calibration; calibrate the model.");
    return make_transform_codec(std::shared_ptr<const KvProfile>(profile, &profile->kinds[kind]), level);
  });
}

}  // namespace

Result<std::unique_ptr<KvCodec>> make_kv_codec(const KvShape& shape, KvLevel level,
                                               std::shared_ptr<const KvProfile> profile) {
  if (level != KvLevel::kExact && profile != nullptr && profile->shape != shape)
    return usage_error("the KV calibration profile is of another model; calibrate this one.");
  if (!shape.layers.empty()) return make_codec_of_kinds(shape, level, profile);
  if (level == KvLevel::kExact) return make_exact_codec(shape);
  return make_transform_codec(std::move(profile), level);
}

Result<std::unique_ptr<KvCodec>> make_kv_codec_by_name(std::string_view name, const KvShape& shape, KvLevel level,
                                                       std::shared_ptr<const KvProfile> profile) {
  if (!shape.layers.empty() && name != "raw" && name != "exact" && name != "transform")
    return unsupported("the KV codec " + std::string(name) + " takes no models whose layers have different heads");
  if (name == "raw") return make_raw_codec(shape);
  if (name == "exact") return make_kv_codec(shape, KvLevel::kExact, nullptr);
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
