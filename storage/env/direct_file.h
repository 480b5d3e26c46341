// A file opened a second time past the page cache (O_DIRECT). Offsets, lengths and memory must be multiples of
// kDirectAlignment. Ownership: owns its descriptor. Threads: reads may run side by side.
#pragma once

#include <cstdint>
#include <utility>

#include "base/bytes.h"
#include "base/file_descriptor.h"
#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

inline constexpr uint64_t kDirectAlignment = 4096;

class DirectFile {
 public:
  // kUnsupported when the file system or the environment cannot. Works on a file that was unlinked meanwhile.
  static Result<DirectFile> reopen(const ReadableFile& file);

  int descriptor() const { return descriptor_.get(); }
  // Reads up to out.size() bytes; fewer only at the end of the file. Returns how many.
  Result<uint64_t> read_at(uint64_t offset, MutableByteSpan out) const;

 private:
  explicit DirectFile(FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {}
  FileDescriptor descriptor_;
};

}  // namespace mneme::storage
