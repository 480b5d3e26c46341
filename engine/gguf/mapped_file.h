// A file mapped read-only into memory. Ownership: owns the mapping. Threads: immutable.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/status.h"

namespace mneme::gguf {

class MappedFile {
 public:
  // kNotFound, kIo; kUsage for a folder, kUnsupported for what is no regular file. An empty file maps to no bytes.
  static Result<MappedFile> open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  ByteSpan bytes() const { return bytes_; }

  // Gives the memory back to the system; what is touched again is read again.
  void release_pages() const;

 private:
  explicit MappedFile(ByteSpan bytes) : bytes_(bytes) {}
  ByteSpan bytes_;
};

}  // namespace mneme::gguf
