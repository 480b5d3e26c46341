#include "storage/encryption/file_cipher.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace mneme::storage {
namespace {

constexpr size_t kStreamKeyBytes = 32;
constexpr size_t kBlocksKeyBytes = 64;

using Block = std::array<std::byte, FileCipher::kBlockBytes>;

bool is_zero(ByteSpan block) {
  return std::all_of(block.begin(), block.end(), [](std::byte byte) { return byte == std::byte{0}; });
}

// Counter mode counts the whole block as one big-endian number.
Block counter_of(uint64_t block) {
  Block counter{};
  for (size_t i = 0; i < sizeof block; ++i) counter[counter.size() - 1 - i] = std::byte(block >> (8 * i));
  return counter;
}

// XTS numbers its units little-endian (IEEE 1619, section 5.1).
Block tweak_of(uint64_t unit) {
  Block tweak{};
  std::memcpy(tweak.data(), &unit, sizeof unit);
  return tweak;
}

// Which blocks of what was read are a hole.
std::vector<size_t> holes_in(ByteSpan bytes) {
  std::vector<size_t> holes;
  for (size_t at = 0; at < bytes.size(); at += FileCipher::kBlockBytes) {
    if (is_zero(bytes.subspan(at, FileCipher::kBlockBytes))) holes.push_back(at);
  }
  return holes;
}

Status run(gcry_cipher_hd_t handle, bool encrypts, MutableByteSpan bytes) {
  const auto change = encrypts ? gcry_cipher_encrypt : gcry_cipher_decrypt;
  return gcrypt_status(change(handle, bytes.data(), bytes.size(), nullptr, 0), "change a unit");
}

// The library begins at a unit's first block, so what lies before the bytes is gone through too.
Status run_behind(gcry_cipher_hd_t handle, bool encrypts, size_t before, MutableByteSpan bytes) {
  std::array<std::byte, FileCipher::kUnitBytes> unit{};
  const MutableByteSpan work = MutableByteSpan(unit).subspan(before, bytes.size());
  std::ranges::copy(bytes, work.begin());
  MNEME_RETURN_IF_ERROR(run(handle, encrypts, MutableByteSpan(unit).first(before + bytes.size())));
  std::ranges::copy(work, bytes.begin());
  ::explicit_bzero(unit.data(), unit.size());
  return {};
}

}  // namespace

Result<FileNumber> random_file_number() {
  FileNumber number{};
  MNEME_RETURN_IF_ERROR(fill_randomly(number));
  return number;
}

Result<std::unique_ptr<FileCipher>> FileCipher::make(const Secret& home_key, FileMode mode, const FileNumber& number) {
  std::unique_ptr<FileCipher> cipher(new FileCipher(mode));
  const bool stream = mode == FileMode::kStream;
  cipher->key_ = std::make_unique<Secret>(stream ? kStreamKeyBytes : kBlocksKeyBytes);
  MNEME_RETURN_IF_ERROR(
      hmac_sha512(home_key.bytes(), stream ? "mneme file stream" : "mneme file blocks", number, cipher->key_->bytes()));
  MNEME_ASSIGN_OR_RETURN(CipherHandle handle, cipher->borrow());
  cipher->give_back(std::move(handle));
  return cipher;
}

Result<CipherHandle> FileCipher::borrow() const {
  {
    MutexLock lock(mutex_);
    if (!idle_.empty()) {
      CipherHandle handle = std::move(idle_.back());
      idle_.pop_back();
      return handle;
    }
  }
  const int mode = mode_ == FileMode::kStream ? GCRY_CIPHER_MODE_CTR : GCRY_CIPHER_MODE_XTS;
  return open_cipher(GCRY_CIPHER_AES256, mode, key_->bytes());
}

void FileCipher::give_back(CipherHandle handle) const {
  MutexLock lock(mutex_);
  idle_.push_back(std::move(handle));
}

Status FileCipher::apply(bool encrypts, uint64_t position, MutableByteSpan bytes) const {
  if (bytes.empty()) return {};
  MNEME_ASSIGN_OR_RETURN(CipherHandle handle, borrow());
  Status status;
  if (mode_ == FileMode::kStream) {
    status = apply_stream(handle.get(), position, bytes);
  } else {
    assert(position % kBlockBytes == 0 && bytes.size() % kBlockBytes == 0);
    while (status.ok() && !bytes.empty()) {
      const size_t n = std::min<size_t>(bytes.size(), kUnitBytes - position % kUnitBytes);
      status = apply_unit(handle.get(), encrypts, position, bytes.first(n));
      position += n;
      bytes = bytes.subspan(n);
    }
  }
  give_back(std::move(handle));
  return status;
}

Status FileCipher::apply_stream(gcry_cipher_hd_t handle, uint64_t position, MutableByteSpan bytes) const {
  const Block counter = counter_of(position / kBlockBytes);
  MNEME_RETURN_IF_ERROR(gcrypt_status(gcry_cipher_setctr(handle, counter.data(), counter.size()), "set a counter"));
  // The block's bytes before the position use up its part of the key stream.
  Block before{};
  if (const size_t n = position % kBlockBytes; n > 0) {
    MNEME_RETURN_IF_ERROR(gcrypt_status(gcry_cipher_encrypt(handle, before.data(), n, nullptr, 0), "encrypt"));
  }
  return gcrypt_status(gcry_cipher_encrypt(handle, bytes.data(), bytes.size(), nullptr, 0), "encrypt");
}

// Bytes within one unit.
Status FileCipher::apply_unit(gcry_cipher_hd_t handle, bool encrypts, uint64_t position, MutableByteSpan bytes) const {
  const Block tweak = tweak_of(position / kUnitBytes);
  MNEME_RETURN_IF_ERROR(gcrypt_status(gcry_cipher_setiv(handle, tweak.data(), tweak.size()), "set a unit's number"));
  const std::vector<size_t> holes = encrypts ? std::vector<size_t>() : holes_in(bytes);
  const size_t before = position % kUnitBytes;
  MNEME_RETURN_IF_ERROR(before == 0 ? run(handle, encrypts, bytes) : run_behind(handle, encrypts, before, bytes));
  for (const size_t hole : holes) std::ranges::fill(bytes.subspan(hole, kBlockBytes), std::byte{0});
  return {};
}

}  // namespace mneme::storage
