#include "app/bench/device_coding.h"

#include <chrono>
#include <memory>

#include "base/stopwatch.h"
#include "engine/kv/memory_source.h"

namespace mneme::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLeastSeconds = 0.05;  // of a repetition: all layers again until then
constexpr int kPromptLayers = 32;       // of a prompt: what is there of layers, in turn

// A prompt of all passages, once: as many layers as a large model has, since the first one takes longest.
Result<engine::DeviceDecoding> place_all(engine::EncodedKvPlacer& placer, const engine::EncodedKv& kv, int n_passages) {
  const auto n_layers = static_cast<int>(kv.layers.size());
  for (int i = 0; i < kPromptLayers; ++i) {
    const int layer = i % n_layers;
    std::vector<engine::EncodedChunk> chunks;
    chunks.reserve(static_cast<size_t>(n_passages));
    for (int passage = 0; passage < n_passages; ++passage)
      chunks.push_back({{kv.codec, kv.layers[static_cast<size_t>(layer)]}, passage * kv.n_tokens, kv.n_tokens});
    for (const Status& status : placer.place(layer, chunks, nullptr)) MNEME_RETURN_IF_ERROR(status);
  }
  MNEME_ASSIGN_OR_RETURN(engine::DeviceDecoding decoding, placer.finish());
  if (!decoding.damaged.empty()) return corruption("the device decodes other numbers than were encoded");
  return decoding;
}

// Fills encode_gb_s.
Status measure_encoding(engine::Backend& backend, const engine::KvCodec& codec, const engine::ChunkKv& chunk, int reps,
                        DeviceCodingRates& rates) {
  const engine::KvShape& shape = codec.shape();
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::KvCache> cache,
                         backend.make_kv_cache({.n_layers = shape.n_layers,
                                                .n_kv_heads = shape.n_kv_heads,
                                                .head_dim = shape.head_dim,
                                                .max_tokens = chunk.n_tokens,
                                                .keep_unrotated_keys = true}));
  MNEME_RETURN_IF_ERROR(cache->reserve(chunk.n_tokens));
  for (int layer = 0; layer < shape.n_layers; ++layer)
    cache->place(layer, 0, chunk.n_tokens, chunk.keys[static_cast<size_t>(layer)],
                 chunk.values[static_cast<size_t>(layer)], nullptr);
  const double fp16_bytes = 4.0 * shape.kv_dim() * shape.n_layers * chunk.n_tokens;
  for (int rep = -1; rep < reps; ++rep) {
    const Clock::time_point begin = Clock::now();
    double bytes = 0;
    double seconds = 0;
    while (seconds < kLeastSeconds) {
      MNEME_ASSIGN_OR_RETURN(const engine::EncodedLayers encoded, cache->encode(0, chunk.n_tokens, codec));
      if (encoded.layers.empty()) return {};
      bytes += fp16_bytes;
      seconds = seconds_since(begin);
    }
    if (rep >= 0) rates.encode_gb_s.push_back(bytes / seconds / 1e9);
  }
  return {};
}

}  // namespace

Result<std::optional<DeviceCodingRates>> device_coding(engine::Backend& backend, const engine::KvCodec& codec,
                                                       const engine::ChunkKv& chunk, int n_passages, int reps) {
  const engine::KvShape& shape = codec.shape();
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::KvCache> cache,
                         backend.make_kv_cache({.n_layers = shape.n_layers,
                                                .n_kv_heads = shape.n_kv_heads,
                                                .head_dim = shape.head_dim,
                                                .max_tokens = n_passages * chunk.n_tokens}));
  const std::unique_ptr<engine::EncodedKvPlacer> placer = cache->place_encoded(0);
  if (placer == nullptr || !placer->takes(0, codec)) return std::optional<DeviceCodingRates>();
  MNEME_RETURN_IF_ERROR(cache->reserve(n_passages * chunk.n_tokens));
  MNEME_ASSIGN_OR_RETURN(const engine::EncodedKv encoded, engine::encode_kv(chunk, codec));
  DeviceCodingRates rates;
  for (int rep = -1; rep < reps; ++rep) {
    const Clock::time_point begin = Clock::now();
    double bytes = 0;
    double decode_ms = 0;
    double seconds = 0;
    while (seconds < kLeastSeconds) {
      MNEME_ASSIGN_OR_RETURN(const engine::DeviceDecoding decoding, place_all(*placer, encoded, n_passages));
      bytes += static_cast<double>(decoding.bytes_decoded);
      decode_ms += decoding.decode_ms;
      seconds = seconds_since(begin);
    }
    if (rep < 0 || decode_ms <= 0) continue;
    rates.decode_gb_s.push_back(bytes / decode_ms / 1e6);
    rates.place_gb_s.push_back(bytes / seconds / 1e9);
  }
  MNEME_RETURN_IF_ERROR(measure_encoding(backend, codec, chunk, reps, rates));
  return std::optional(std::move(rates));
}

}  // namespace mneme::app
