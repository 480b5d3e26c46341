#include "storage/encryption/encrypted_header.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace mneme::storage {
namespace {

constexpr std::string_view kMagic = "mneme encrypted\n";  // 16 bytes
constexpr uint8_t kVersion = 1;
constexpr size_t kVersionAt = 16;
constexpr size_t kModeAt = 17;
constexpr size_t kNumberAt = 32;
constexpr size_t kProofAt = 48;

using Proof = std::array<std::byte, 16>;

// Only who knows the home's key can make it: tells a file of another home before its contents look like damage.
Result<Proof> proof_of(ByteSpan until_proof, const Secret& home_key) {
  Proof proof{};
  MNEME_RETURN_IF_ERROR(hmac_sha512(home_key.bytes(), "mneme file header", until_proof, proof));
  return proof;
}

}  // namespace

bool begins_encrypted(ByteSpan beginning) {
  return beginning.size() >= kMagic.size() && std::memcmp(beginning.data(), kMagic.data(), kMagic.size()) == 0;
}

Result<EncryptedHeader> new_encrypted_header(FileMode mode) {
  MNEME_ASSIGN_OR_RETURN(const FileNumber number, random_file_number());
  return EncryptedHeader{mode, number};
}

Result<std::vector<std::byte>> header_bytes(const EncryptedHeader& header, const Secret& home_key) {
  std::vector<std::byte> bytes(kEncryptedHeaderBytes);
  std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
  bytes[kVersionAt] = std::byte{kVersion};
  bytes[kModeAt] = std::byte(header.mode);
  std::ranges::copy(header.number, bytes.begin() + kNumberAt);
  MNEME_ASSIGN_OR_RETURN(const Proof proof, proof_of(ByteSpan(bytes).first(kProofAt), home_key));
  std::ranges::copy(proof, bytes.begin() + kProofAt);
  return bytes;
}

Result<EncryptedHeader> parse_header(ByteSpan bytes, const Secret& home_key, const std::string& path) {
  if (bytes.size() < kEncryptedHeaderBytes || !begins_encrypted(bytes)) {
    return corruption(path +
                      " is not encrypted though its home is, so somebody else put it there or it is damaged; "
                      "remove it if it is a cache, else restore it from a backup");
  }
  if (bytes[kVersionAt] != std::byte{kVersion}) {
    return unsupported(path + " was encrypted by a newer version of mneme; use that version");
  }
  MNEME_ASSIGN_OR_RETURN(const Proof proof, proof_of(bytes.first(kProofAt), home_key));
  const auto mode = static_cast<FileMode>(bytes[kModeAt]);
  const bool known = mode == FileMode::kStream || mode == FileMode::kBlocks;
  if (!known || !std::ranges::equal(proof, bytes.subspan(kProofAt, proof.size()))) {
    return corruption(path + " is of another home or its beginning is damaged; restore it from a backup");
  }
  EncryptedHeader header{mode, {}};
  std::ranges::copy(bytes.subspan(kNumberAt, header.number.size()), header.number.begin());
  return header;
}

}  // namespace mneme::storage
