#include "rag/kv_reuse/chunk_encoder.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "base/f16.h"
#include "base/stopwatch.h"
#include "engine/language_model.h"
#include "rag/kv_reuse/speed_profile.h"

namespace mneme::rag {
namespace {

// Longest chunk that is cached; the chunker's hard limit is far below it.
constexpr int kMaxChunkTokens = 4096;

bool is_finite(const std::vector<std::vector<f16>>& layers) {
  constexpr uint16_t kExponent = 0x7c00;  // all ones: infinities and NaN
  return std::all_of(layers.begin(), layers.end(), [](const std::vector<f16>& layer) {
    return std::none_of(layer.begin(), layer.end(), [](f16 x) { return (x.bits & kExponent) == kExponent; });
  });
}

// Levels that round would make ordinary numbers of infinities and NaN, and others of those that are far from all that
// was calibrated with: the answer would differ from the computed one.
Status not_storable(engine::KvLevel level, const char* why) {
  return unsupported(std::string("keys or values of a passage are ") + why + ", so its cache is not stored at level " +
                     std::string(engine::kv_level_name(level)) +
                     " and every answer computes it; level exact can store it");
}

}  // namespace

Status ChunkEncoder::open_calculator(std::span<const engine::TokenId> prefix) {
  if (calculator_ != nullptr) return {};
  const int limit = std::min(kMaxChunkTokens, model_.config().context_length - static_cast<int>(prefix.size()));
  MNEME_ASSIGN_OR_RETURN(calculator_, engine::ChunkKvCalculator::make(model_, prefix, limit));
  return {};
}

void ChunkEncoder::learn(const engine::KvCodec& codec, int n_tokens, double seconds) {
  const double fp16_bytes = static_cast<double>(n_tokens) * static_cast<double>(model_.config().kv_bytes_per_token());
  speed_.learn_encoding(codec.level(), fp16_bytes, seconds * 1e3);
}

Result<ChunkEncoder::Computed> ChunkEncoder::compute(std::span<const engine::TokenId> prefix,
                                                     std::span<const engine::TokenId> ids,
                                                     std::span<const engine::KvCodec* const> codecs,
                                                     const CancelToken& cancel) {
  MutexLock lock(mutex_);
  MNEME_RETURN_IF_ERROR(open_calculator(prefix));
  MNEME_RETURN_IF_ERROR(calculator_->compute(ids, cancel));
  Computed computed{.n_tokens = static_cast<int>(ids.size()), .kv = {}, .encoded = {}};
  bool needs_numbers = false;
  for (const engine::KvCodec* codec : codecs) {
    const auto begin = std::chrono::steady_clock::now();
    Result<engine::EncodedLayers> encoded = calculator_->encode(*codec);
    // Without memory for it the processor encodes.
    if (!encoded.ok() && encoded.status().code() == StatusCode::kResource) encoded = engine::EncodedLayers();
    MNEME_RETURN_IF_ERROR(encoded.status());
    if (encoded->layers.empty()) needs_numbers = true;
    if (!encoded->layers.empty()) learn(*codec, computed.n_tokens, seconds_since(begin));
    computed.encoded.push_back(*std::move(encoded));
  }
  if (needs_numbers) {
    MNEME_ASSIGN_OR_RETURN(computed.kv, calculator_->read());
  }
  return computed;
}

Result<std::vector<std::vector<std::byte>>> ChunkEncoder::layers_of(Computed& computed, size_t i,
                                                                    const engine::KvCodec& codec) {
  engine::EncodedLayers& encoded = computed.encoded[i];
  const bool on_host = encoded.layers.empty();
  const engine::ChunkKv& kv = computed.kv;
  const auto finite = [&] { return on_host ? is_finite(kv.keys) && is_finite(kv.values) : encoded.is_finite; };
  if (codec.level() != engine::KvLevel::kExact && !finite())
    return not_storable(codec.level(), "larger than fp16 holds");
  if (!on_host) return std::move(encoded.layers);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::vector<std::byte>> layers(kv.keys.size());
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    const Status status =
        codec.encode_layer(static_cast<int>(layer), computed.n_tokens, kv.keys[layer], kv.values[layer], layers[layer]);
    if (status.code() == StatusCode::kUnsupported)
      return not_storable(codec.level(), "too far from those that the level was calibrated with");
    MNEME_RETURN_IF_ERROR(status);
  }
  learn(codec, computed.n_tokens, seconds_since(begin));
  return layers;
}

}  // namespace mneme::rag
