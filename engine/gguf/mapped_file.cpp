#include "engine/gguf/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/file_descriptor.h"

namespace mneme::gguf {

namespace {

void* address_of(ByteSpan bytes) {
  return const_cast<std::byte*>(bytes.data());  // the system calls take a pointer to what they do not change
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: a FIFO is refused, not waited for.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return errno_error("open the model", path, errno);
  struct stat info{};
  if (fstat(file.get(), &info) != 0) return errno_error("examine the model", path, errno);
  if (S_ISDIR(info.st_mode)) return usage_error("the model " + path + " is a folder; name a GGUF file");
  if (!S_ISREG(info.st_mode)) return unsupported("the model " + path + " is no regular file; name a GGUF file");
  const auto size = static_cast<size_t>(info.st_size);
  if (size == 0) return MappedFile(ByteSpan());
  void* mapping = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (mapping == MAP_FAILED) return errno_error("map the model", path, errno);
  return MappedFile(ByteSpan(static_cast<const std::byte*>(mapping), size));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(address_of(bytes_), bytes_.size());
}

void MappedFile::release_pages() const {
  // Clean pages of a read-only mapping come back from the page cache when touched again.
  if (!bytes_.empty()) madvise(address_of(bytes_), bytes_.size(), MADV_DONTNEED);
}

}  // namespace mneme::gguf
