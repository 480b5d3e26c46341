#include "storage/env/direct_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

namespace mneme::storage {

Result<DirectFile> DirectFile::reopen(const ReadableFile& file) {
  if (file.descriptor() < 0) return unsupported("this file has no descriptor to open past the page cache");
  const std::string path = "/proc/self/fd/" + std::to_string(file.descriptor());
  FileDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
  if (!descriptor.is_open()) return unsupported("this file system cannot read past the page cache (O_DIRECT)");
  return DirectFile(std::move(descriptor));
}

Result<uint64_t> DirectFile::read_at(uint64_t offset, MutableByteSpan out) const {
  uint64_t done = 0;
  while (done < out.size()) {
    const ssize_t n =
        ::pread(descriptor_.get(), out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno_error("read", "a KV file", errno);
    done += static_cast<uint64_t>(n);
    if (n == 0 || static_cast<uint64_t>(n) % kDirectAlignment != 0) break;
  }
  return done;
}

}  // namespace mneme::storage
