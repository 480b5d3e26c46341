// One chunk's encoded KV in one file, layer-major: written once, atomically, read layer by layer. What the layers hold
// is the caller's business: storage never reads a payload. Format: chunk_file_format.md.
// Threads: values and pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

inline constexpr uint32_t kChunkFileVersion = 1;

// What a chunk file says about itself. The key binds everything that decides the payload's meaning (model weights,
// quantisation, RoPE settings, tokenizer, prefix ids, chunk ids, codec, level, codec version); the rest is here to be
// verified and to be listed.
struct ChunkFileInfo {
  Hash128 key{};
  Hash128 text_hash{};  // of the chunk's text, as the catalogue has it: who is still wanted
  Hash128 model_id{};   // the part of the key that names the model with its settings
  uint32_t codec = 0;   // codec id and level
  uint32_t codec_version = 0;
  uint64_t calibration_id = 0;  // tables the payload was encoded with
  std::vector<int32_t> token_ids{};
  std::vector<uint64_t> layer_bytes{};  // size of each layer's payload, layer 0 first
};

struct LayerSegment {
  uint64_t offset = 0;  // in the file
  uint64_t size_bytes = 0;
  uint64_t checksum = 0;  // xxh3_64 of the payload
};

struct ChunkFileHeader {
  ChunkFileInfo info{};
  std::vector<LayerSegment> layers{};
  uint64_t file_bytes = 0;
};

// Bytes of the whole file for these layers (info.layer_bytes is not read).
Result<std::vector<std::byte>> encode_chunk_header(const ChunkFileInfo& info, std::span<const ByteSpan> layers);

// Parses the beginning of a file of `file_bytes` bytes. Every count is bounded by what is there. kCorruption for
// damage, kUnsupported for another version; `more` is set to how many bytes of the file are needed when `bytes` is too
// short.
Result<ChunkFileHeader> parse_chunk_header(ByteSpan bytes, uint64_t file_bytes, uint64_t& more);

// Opens a chunk file. kCorruption where an encrypted one is damaged before the format begins, or of another home.
Result<std::unique_ptr<ReadableFile>> open_chunk_file(FileEnv& env, const std::string& path);

Result<ChunkFileHeader> read_chunk_header(const ReadableFile& file, const std::string& path);

// kCorruption when the payload is not what was written.
Status check_layer(const ChunkFileHeader& header, int layer, ByteSpan payload, const std::string& path);

}  // namespace mneme::storage
