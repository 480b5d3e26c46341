// A regular file on disk as a source of bytes. Every piece is read on a thread that may be left behind (stall_guard.h),
// so that a folder on a network that has stopped answering costs the caller its patience, not its life.
// Ownership: borrows the limits' cancel token. Threads: one thread each.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/readers/byte_source.h"
#include "rag/readers/reader.h"

namespace mneme::readers {

class FileSource final : public ByteSource {
 public:
  // Of the limits `time`, for each piece, and `cancel` are kept. Errors: kNotFound, kIo; kUsage for a folder;
  // kUnsupported for what is no regular file, and for an empty one; kResource when it does not answer; kCancelled.
  static Result<std::unique_ptr<FileSource>> open(const std::string& path, const ReadLimits& limits);
  ~FileSource() override;

  uint64_t size() const override { return size_; }
  // In addition kBusy where the file has become shorter.
  Result<size_t> read(uint64_t offset, std::span<char> out) override;
  // The first 4 KiB: they tell the format.
  std::string_view beginning() const;
  // kBusy when the file's size or time are not what they were when it was opened.
  Status unchanged();

 private:
  struct File;
  FileSource(std::shared_ptr<File> file, const ReadLimits& limits);
  Status guarded(const std::function<Status(File&)>& work);

  std::shared_ptr<File> file_;  // shared with the thread that reads, which may be left behind with it; then null
  const std::string path_;
  const uint64_t size_;
  const std::chrono::milliseconds patience_;
  const CancelToken* const cancel_;
};

}  // namespace mneme::readers
