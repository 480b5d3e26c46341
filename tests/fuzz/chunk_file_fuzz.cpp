// The header of a KV file from any bytes: never a crash, never an allocation beyond the bytes that are there, and what
// parses says of itself what the file holds.
#include <cstdlib>

#include "storage/chunks/chunk_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const mneme::ByteSpan bytes(reinterpret_cast<const std::byte*>(data), size);
  uint64_t more = 0;
  const auto header = mneme::storage::parse_chunk_header(bytes, size, more);
  if (!header.ok()) return 0;
  if (header->info.token_ids.size() * 4 > size) std::abort();
  for (const auto& layer : header->layers) {
    if (layer.offset > size || layer.size_bytes > size - layer.offset) std::abort();
  }
  return 0;
}
