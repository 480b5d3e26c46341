#include "storage/chunks/chunk_file.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace mneme::storage {
namespace {

constexpr std::array<char, 8> kMagic = {'M', 'N', 'E', 'M', 'E', 'K', 'V', '\0'};
constexpr size_t kFixedBytes = 112;
constexpr size_t kSegmentBytes = 24;
constexpr size_t kChecksumBytes = 8;
constexpr size_t kHeaderAlignment = 64;
constexpr uint32_t kMaxTokens = 1u << 24;
constexpr uint32_t kMaxLayers = 4096;
// Enough for the headers of ordinary chunks in one read: 512 tokens, 80 layers.
constexpr uint64_t kFirstReadBytes = 8192;

class HeaderWriter {
 public:
  template <typename T>
  void put(T value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void put(const Hash128& hash) {
    put(hash.high);
    put(hash.low);
  }
  void fill_to(size_t size) { bytes_.resize(size); }
  std::vector<std::byte> take() { return std::move(bytes_); }
  ByteSpan bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

uint64_t header_size(uint64_t n_tokens, uint64_t n_layers) {
  const uint64_t exact = kFixedBytes + n_tokens * 4 + n_layers * kSegmentBytes + kChecksumBytes;
  return (exact + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment;
}

Hash128 read_hash(ByteReader& reader) {
  Hash128 hash;
  hash.high = reader.read<uint64_t>();
  hash.low = reader.read<uint64_t>();
  return hash;
}

Status damaged(std::string_view what) {
  return corruption("damaged KV file: " + std::string(what));
}

// Layers stand one after the other from the header's end to the file's end.
Status read_segments(ByteReader& reader, uint32_t n_layers, uint64_t header_bytes, ChunkFileHeader& header) {
  uint64_t at = header_bytes;
  for (uint32_t i = 0; i < n_layers; ++i) {
    LayerSegment segment;
    segment.offset = reader.read<uint64_t>();
    segment.size_bytes = reader.read<uint64_t>();
    segment.checksum = reader.read<uint64_t>();
    if (segment.offset != at || segment.size_bytes > header.file_bytes - at) return damaged("layers out of place");
    at += segment.size_bytes;
    header.layers.push_back(segment);
    header.info.layer_bytes.push_back(segment.size_bytes);
  }
  return at == header.file_bytes ? Status() : damaged("bytes after the last layer");
}

}  // namespace

Result<std::vector<std::byte>> encode_chunk_header(const ChunkFileInfo& info, std::span<const ByteSpan> layers) {
  if (info.token_ids.empty() || info.token_ids.size() > kMaxTokens || layers.empty() || layers.size() > kMaxLayers) {
    return usage_error("a chunk file holds 1 to 2^24 tokens and 1 to 4096 layers");
  }
  const uint64_t header_bytes = header_size(info.token_ids.size(), layers.size());
  uint64_t file_bytes = header_bytes;
  for (const ByteSpan& layer : layers) file_bytes += layer.size();
  HeaderWriter writer;
  writer.put(kMagic);
  writer.put(kChunkFileVersion);
  writer.put(static_cast<uint32_t>(header_bytes));
  writer.put(file_bytes);
  writer.put(info.key);
  writer.put(info.text_hash);
  writer.put(info.model_id);
  writer.put(info.codec);
  writer.put(info.codec_version);
  writer.put(info.calibration_id);
  writer.put(static_cast<uint32_t>(info.token_ids.size()));
  writer.put(static_cast<uint32_t>(layers.size()));
  writer.fill_to(kFixedBytes);
  for (const int32_t id : info.token_ids) writer.put(id);
  uint64_t offset = header_bytes;
  for (const ByteSpan& layer : layers) {
    writer.put(offset);
    writer.put(static_cast<uint64_t>(layer.size()));
    writer.put(xxh3_64(layer));
    offset += layer.size();
  }
  writer.fill_to(header_bytes - kChecksumBytes);
  writer.put(xxh3_64(writer.bytes()));
  return writer.take();
}

Result<ChunkFileHeader> parse_chunk_header(ByteSpan bytes, uint64_t file_bytes, uint64_t& more) {
  more = 0;
  ByteReader reader(bytes);
  if (file_bytes < kFixedBytes) return damaged("too short");
  if (bytes.size() < kFixedBytes) {
    more = kFixedBytes;
    return damaged("too short");
  }
  if (std::memcmp(reader.read_bytes(kMagic.size()).data(), kMagic.data(), kMagic.size()) != 0) {
    return damaged("not a KV file");
  }
  const auto version = reader.read<uint32_t>();
  if (version != kChunkFileVersion) {
    return unsupported("KV file of version " + std::to_string(version) + ", this mneme reads version " +
                       std::to_string(kChunkFileVersion));
  }
  const auto header_bytes = reader.read<uint32_t>();
  ChunkFileHeader header;
  header.file_bytes = reader.read<uint64_t>();
  header.info.key = read_hash(reader);
  header.info.text_hash = read_hash(reader);
  header.info.model_id = read_hash(reader);
  header.info.codec = reader.read<uint32_t>();
  header.info.codec_version = reader.read<uint32_t>();
  header.info.calibration_id = reader.read<uint64_t>();
  const auto n_tokens = reader.read<uint32_t>();
  const auto n_layers = reader.read<uint32_t>();
  if (n_tokens == 0 || n_tokens > kMaxTokens || n_layers == 0 || n_layers > kMaxLayers) return damaged("odd sizes");
  if (header_bytes != header_size(n_tokens, n_layers) || header_bytes > file_bytes) return damaged("odd header size");
  if (header.file_bytes != file_bytes) return damaged("the file was cut or has grown");
  if (bytes.size() < header_bytes) {
    more = header_bytes;
    return damaged("too short");
  }
  uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + header_bytes - kChecksumBytes, kChecksumBytes);
  if (checksum != xxh3_64(bytes.first(header_bytes - kChecksumBytes))) return damaged("header checksum");
  reader.skip(kFixedBytes - reader.offset());
  header.info.token_ids.resize(n_tokens);
  std::memcpy(header.info.token_ids.data(), reader.read_bytes(n_tokens * 4).data(), n_tokens * 4);
  MNEME_RETURN_IF_ERROR(read_segments(reader, n_layers, header_bytes, header));
  return header;
}

Result<std::unique_ptr<ReadableFile>> open_chunk_file(FileEnv& env, const std::string& path) {
  Result<std::unique_ptr<ReadableFile>> file = env.open_readable(path);
  if (file.status().code() != StatusCode::kCorruption) return file;
  // What the environment advises is for files that nobody can make again.
  return corruption(path + " is of another home, or its beginning is damaged; it is computed again");
}

Result<ChunkFileHeader> read_chunk_header(const ReadableFile& file, const std::string& path) {
  std::vector<std::byte> bytes(std::min(file.size(), kFirstReadBytes));
  MNEME_RETURN_IF_ERROR(file.read_at(0, bytes));
  uint64_t more = 0;
  Result<ChunkFileHeader> header = parse_chunk_header(bytes, file.size(), more);
  if (!header.ok() && more > bytes.size() && more <= file.size()) {
    bytes.resize(more);
    MNEME_RETURN_IF_ERROR(file.read_at(0, bytes));
    header = parse_chunk_header(bytes, file.size(), more);
  }
  if (!header.ok()) return header.status().with_context(path + ": ");
  return header;
}

Status check_layer(const ChunkFileHeader& header, int layer, ByteSpan payload, const std::string& path) {
  const LayerSegment& segment = header.layers[static_cast<size_t>(layer)];
  if (payload.size() == segment.size_bytes && xxh3_64(payload) == segment.checksum) return {};
  return corruption(path + ": layer " + std::to_string(layer) + " is damaged; it is computed again");
}

}  // namespace mneme::storage
