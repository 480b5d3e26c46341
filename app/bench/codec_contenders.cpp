#include "app/bench/codec_contenders.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace mneme::app {

using engine::ChunkKv;

CodecContender codec_contender(std::unique_ptr<engine::KvCodec> codec) {
  CodecContender contender;
  const engine::KvCodec* const own = codec.get();
  contender.codec = own->name();
  contender.level = engine::kv_level_name(own->level());
  contender.encode = [own](int layer, const ChunkKv& kv, std::vector<std::byte>& out) {
    const auto l = static_cast<size_t>(layer);
    return own->encode_layer(layer, kv.n_tokens, kv.keys[l], kv.values[l], out);
  };
  contender.decode = [own](int layer, int n_tokens, ByteSpan in, std::vector<f16>& keys, std::vector<f16>& values) {
    return own->decode_layer(layer, n_tokens, in, keys, values);
  };
  contender.owned = std::move(codec);
  return contender;
}

CodecContender memcpy_contender() {
  CodecContender contender;
  contender.codec = "memcpy";
  contender.encode = [](int layer, const ChunkKv& kv, std::vector<std::byte>& out) -> Status {
    const auto l = static_cast<size_t>(layer);
    const size_t bytes = kv.keys[l].size() * sizeof(f16);
    out.resize(2 * bytes);
    std::memcpy(out.data(), kv.keys[l].data(), bytes);
    std::memcpy(out.data() + bytes, kv.values[l].data(), bytes);
    return {};
  };
  contender.decode = [](int, int, ByteSpan in, std::vector<f16>& keys, std::vector<f16>& values) -> Status {
    std::memcpy(keys.data(), in.data(), in.size() / 2);
    std::memcpy(values.data(), in.data() + in.size() / 2, in.size() / 2);
    return {};
  };
  return contender;
}

CodecContender zstd_contender() {
  CodecContender contender;
  contender.codec = "zstd-1";
  contender.encode = [](int layer, const ChunkKv& kv, std::vector<std::byte>& out) -> Status {
    const auto l = static_cast<size_t>(layer);
    std::vector<f16> both(kv.keys[l]);
    both.insert(both.end(), kv.values[l].begin(), kv.values[l].end());
    out.resize(ZSTD_compressBound(both.size() * sizeof(f16)));
    const size_t size = ZSTD_compress(out.data(), out.size(), both.data(), both.size() * sizeof(f16), 1);
    if (ZSTD_isError(size)) return corruption("zstd failed: " + std::string(ZSTD_getErrorName(size)));
    out.resize(size);
    return {};
  };
  contender.decode = [](int, int, ByteSpan in, std::vector<f16>& keys, std::vector<f16>& values) -> Status {
    std::vector<f16> both(keys.size() + values.size());
    const size_t size = ZSTD_decompress(both.data(), both.size() * sizeof(f16), in.data(), in.size());
    if (ZSTD_isError(size)) return corruption("zstd failed: " + std::string(ZSTD_getErrorName(size)));
    std::copy_n(both.begin(), keys.size(), keys.begin());
    std::copy(both.begin() + static_cast<std::ptrdiff_t>(keys.size()), both.end(), values.begin());
    return {};
  };
  return contender;
}

}  // namespace mneme::app
