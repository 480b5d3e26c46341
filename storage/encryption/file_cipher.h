// The contents of one file, to and from what lies on the disk, each byte in its place (docs/formats/encryption.md).
// Every file has a random number, and keys of its own that follow from it and the home's key.
//
//   kStream  AES-256 in counter mode: for files that are written once from the beginning to the end. A part that is
//            written a second time would give both away.
//   kBlocks  AES-256 XTS (IEEE 1619) over units of kUnitBytes: for files that are rewritten in place. The 16 bytes of a
//            block depend on that block's place and contents only, so neighbours of what is written stay as they are.
//
// Both keep secret what a file holds from whoever has the disk; neither notices that somebody exchanged it for other
// bytes (files' own checksums notice what chance does).
// Threads: encrypt() and decrypt() by several at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/mutex.h"
#include "base/status.h"
#include "storage/encryption/gcrypt.h"
#include "storage/encryption/secret.h"

namespace mneme::storage {

enum class FileMode : uint8_t { kStream = 1, kBlocks = 2 };

using FileNumber = std::array<std::byte, 16>;
Result<FileNumber> random_file_number();

class FileCipher {
 public:
  static constexpr uint64_t kBlockBytes = 16;
  static constexpr uint64_t kUnitBytes = 4096;

  static Result<std::unique_ptr<FileCipher>> make(const Secret& home_key, FileMode mode, const FileNumber& number);

  // In place. position: where the bytes lie in the file's contents. kBlocks: position and length are multiples of
  // kBlockBytes.
  Status encrypt(uint64_t position, MutableByteSpan bytes) const { return apply(true, position, bytes); }
  // kBlocks: blocks of zeros stay so: the file has a hole there, or ends before.
  Status decrypt(uint64_t position, MutableByteSpan bytes) const { return apply(false, position, bytes); }

 private:
  explicit FileCipher(FileMode mode) : mode_(mode) {}
  Status apply(bool encrypts, uint64_t position, MutableByteSpan bytes) const;
  Status apply_stream(gcry_cipher_hd_t handle, uint64_t position, MutableByteSpan bytes) const;
  Status apply_unit(gcry_cipher_hd_t handle, bool encrypts, uint64_t position, MutableByteSpan bytes) const;
  Result<CipherHandle> borrow() const;
  void give_back(CipherHandle handle) const;

  FileMode mode_;
  std::unique_ptr<Secret> key_;
  mutable Mutex mutex_;
  mutable std::vector<CipherHandle> idle_ MNEME_GUARDED_BY(mutex_);  // a handle serves one call at a time
};

}  // namespace mneme::storage
