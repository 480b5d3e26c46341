// All codecs by level and by name.
#pragma once

#include <memory>
#include <string_view>

#include "engine/codec/codec.h"
#include "engine/codec/kv_profile.h"

namespace mneme::engine {

// The codec users get for a level: exact needs no profile; the others need one (kUsage without).
Result<std::unique_ptr<KvCodec>> make_kv_codec(const KvShape& shape, KvLevel level,
                                               std::shared_ptr<const KvProfile> profile);

// By name, for measuring: raw, exact, exact-bf16, uniform8, uniform4, transform (with level). CacheGen's codec has a
// calibration of its own: cachegen.h.
Result<std::unique_ptr<KvCodec>> make_kv_codec_by_name(std::string_view name, const KvShape& shape, KvLevel level,
                                                       std::shared_ptr<const KvProfile> profile);

// Lossless. kBf16: the 16 bits handed over are bf16 numbers, as a bf16 model's cache would be (this engine keeps fp16).
enum class NumberFormat : uint8_t { kF16 = 0, kBf16 = 1 };
std::unique_ptr<KvCodec> make_exact_codec(const KvShape& shape, NumberFormat format = NumberFormat::kF16);
std::unique_ptr<KvCodec> make_uniform_codec(const KvShape& shape, int bits);  // 8 or 4: the papers' baseline
// level: high, medium or low. kUsage when the profile is of another shape.
Result<std::unique_ptr<KvCodec>> make_transform_codec(std::shared_ptr<const KvProfile> profile, KvLevel level);

}  // namespace mneme::engine
