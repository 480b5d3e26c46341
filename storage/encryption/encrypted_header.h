// What stands before the contents of an encrypted file (docs/formats/encryption.md). Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "storage/encryption/file_cipher.h"

namespace mneme::storage {

// A page of the disk, so that contents stay aligned as they were.
inline constexpr uint64_t kEncryptedHeaderBytes = 4096;

struct EncryptedHeader {
  FileMode mode = FileMode::kStream;
  FileNumber number{};
};

// Whether a file that begins so says that it is encrypted.
bool begins_encrypted(ByteSpan beginning);

Result<EncryptedHeader> new_encrypted_header(FileMode mode);
Result<std::vector<std::byte>> header_bytes(const EncryptedHeader& header, const Secret& home_key);
// kCorruption, naming the file: no encrypted file, damaged, or of another home; kUnsupported: of a newer version.
Result<EncryptedHeader> parse_header(ByteSpan bytes, const Secret& home_key, const std::string& path);

}  // namespace mneme::storage
