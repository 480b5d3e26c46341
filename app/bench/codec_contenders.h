// What bench codec compares: ways to make bytes of a layer's keys and values and to take them back. Threads: one owner.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/f16.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/kv/chunk_kv.h"

namespace mneme::app {

// keys, values: (n_tokens, kv_dim), row-major, as long as they are to become when decode is called.
struct CodecContender {
  std::string codec;
  std::string level;  // empty: has none
  std::function<Status(int layer, const engine::ChunkKv& kv, std::vector<std::byte>& out)> encode;
  std::function<Status(int layer, int n_tokens, ByteSpan in, std::vector<f16>& keys, std::vector<f16>& values)> decode;
  std::unique_ptr<engine::KvCodec> owned;  // null: no codec of the store
};

CodecContender codec_contender(std::unique_ptr<engine::KvCodec> codec);
// Copies: no way is faster.
CodecContender memcpy_contender();
// zstd at level 1 over keys, then values.
CodecContender zstd_contender();

}  // namespace mneme::app
