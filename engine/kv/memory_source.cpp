#include "engine/kv/memory_source.h"

#include <utility>

namespace mneme::engine {

Result<EncodedKv> encode_kv(const ChunkKv& kv, const KvCodec& codec) {
  EncodedKv encoded{.n_tokens = kv.n_tokens, .codec = &codec, .layers = {}};
  encoded.layers.resize(kv.keys.size());
  for (size_t layer = 0; layer < kv.keys.size(); ++layer) {
    MNEME_RETURN_IF_ERROR(codec.encode_layer(static_cast<int>(layer), kv.n_tokens, kv.keys[layer], kv.values[layer],
                                             encoded.layers[layer]));
  }
  return encoded;
}

Result<int> MemoryKvSource::add(const ChunkKv& kv, const KvCodec& codec) {
  MNEME_ASSIGN_OR_RETURN(EncodedKv encoded, encode_kv(kv, codec));
  return add(std::move(encoded));
}

int MemoryKvSource::add(EncodedKv kv) {
  codecs_.push_back(kv.codec);
  chunks_.push_back(std::move(kv));
  return n_chunks() - 1;
}

ChunkKvInfo MemoryKvSource::chunk(int chunk) const {
  const EncodedKv& kv = chunks_[static_cast<size_t>(chunk)];
  return {kv.n_tokens, static_cast<int>(kv.layers.size()), kv.codec->id(), 0};
}

Status MemoryKvSource::fetch_layer(int chunk, int layer, std::vector<std::byte>& out) {
  const EncodedKv& kv = chunks_[static_cast<size_t>(chunk)];
  if (layer < 0 || layer >= static_cast<int>(kv.layers.size())) {
    return usage_error("chunk " + std::to_string(chunk) + " has no layer " + std::to_string(layer));
  }
  out = kv.layers[static_cast<size_t>(layer)];
  return {};
}

}  // namespace mneme::engine
