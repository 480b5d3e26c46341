// libarchive over a source of bytes: an archive of any size is read with a piece of it in memory, without a copy.
// Internal to rag/readers. Ownership: borrows context, name and source. Threads: one thread each.
#pragma once

#include <archive.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "rag/readers/byte_source.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

class ArchiveStream {
 public:
  ArchiveStream(ReadContext& context, const std::string& name, ByteSource& source);
  ArchiveStream(const ArchiveStream&) = delete;
  ArchiveStream& operator=(const ArchiveStream&) = delete;

  // False where it is no archive of a kind that is read, or where status() says why.
  bool open();
  // Null before open().
  archive* handle() const { return archive_.get(); }
  // Why no more bytes came; to be asked whenever libarchive fails, before the archive is called damaged.
  const Status& status() const { return status_; }

 private:
  static ssize_t on_read(archive* reader, void* self, const void** bytes);
  static la_int64_t on_skip(archive* reader, void* self, la_int64_t n_bytes);
  static la_int64_t on_seek(archive* reader, void* self, la_int64_t offset, int whence);

  ssize_t read(const void** bytes);
  la_int64_t skip(la_int64_t n_bytes);
  la_int64_t seek(la_int64_t offset, int whence);

  ReadContext& context_;
  const std::string& name_;
  ByteSource& source_;
  Status status_;
  // Kept while libarchive seeks about: a zip of many small files is a seek for each of them.
  std::vector<char> piece_;
  uint64_t piece_begin_ = 0;  // of the source
  size_t piece_size_ = 0;
  uint64_t position_ = 0;
  // Last, so that it goes before what it reads from.
  std::unique_ptr<archive, int (*)(archive*)> archive_{nullptr, archive_read_free};
};

}  // namespace mneme::readers
