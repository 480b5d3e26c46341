#include "rag/readers/file_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <utility>

#include "base/file_descriptor.h"
#include "rag/readers/read_context.h"
#include "rag/readers/stall_guard.h"

namespace mneme::readers {
namespace {

constexpr size_t kSlice = size_t{4} << 20;
constexpr size_t kBeginning = 4096;

Status changed_while_read(const std::string& path) {
  return Status(StatusCode::kBusy, printable(path) + " changed while it was being read; it will be read again later.");
}

}  // namespace

struct FileSource::File {
  std::string path;
  FileDescriptor descriptor;
  struct stat info{};
  uint64_t position = 0;  // of the descriptor
  std::string beginning;
  std::string slice;  // what was read last

  Status open();
  Status read(uint64_t offset, size_t n_bytes);
  Status unchanged() const;
};

Status FileSource::File::open() {
  // O_NONBLOCK: opening a pipe nobody writes to must not wait; it means nothing for regular files.
  descriptor = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!descriptor.is_open()) return errno_error("open", printable(path), errno);
  if (::fstat(descriptor.get(), &info) != 0) return errno_error("stat", printable(path), errno);
  if (S_ISDIR(info.st_mode)) return usage_error(printable(path) + " is a folder, not a file.");
  if (!S_ISREG(info.st_mode)) return unsupported(printable(path) + " is not a regular file; it was left out.");
  if (info.st_size == 0) return unsupported(printable(path) + " is empty.");
  MNEME_RETURN_IF_ERROR(read(0, static_cast<size_t>(std::min<uint64_t>(kBeginning, info.st_size))));
  beginning = slice;
  return {};
}

Status FileSource::File::read(uint64_t offset, size_t n_bytes) {
  if (position != offset && ::lseek(descriptor.get(), static_cast<off_t>(offset), SEEK_SET) < 0) {
    return errno_error("read", printable(path), errno);
  }
  position = offset;
  slice.resize(n_bytes);
  for (size_t done = 0; done < n_bytes;) {
    const ssize_t got = ::read(descriptor.get(), slice.data() + done, n_bytes - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error("read", printable(path), errno);
    if (got == 0) return changed_while_read(path);
    done += static_cast<size_t>(got);
    position += static_cast<uint64_t>(got);
  }
  return {};
}

Status FileSource::File::unchanged() const {
  struct stat now{};
  if (::fstat(descriptor.get(), &now) != 0) return errno_error("stat", printable(path), errno);
  const bool same = now.st_size == info.st_size && now.st_mtim.tv_sec == info.st_mtim.tv_sec &&
                    now.st_mtim.tv_nsec == info.st_mtim.tv_nsec;
  return same ? Status() : changed_while_read(path);
}

Result<std::unique_ptr<FileSource>> FileSource::open(const std::string& path, const ReadLimits& limits) {
  const auto file = std::make_shared<File>();
  file->path = path;
  MNEME_RETURN_IF_ERROR(run_guarded(printable(path), limits.time, limits.cancel, [file] { return file->open(); }));
  return std::unique_ptr<FileSource>(new FileSource(file, limits));
}

FileSource::FileSource(std::shared_ptr<File> file, const ReadLimits& limits)
    : file_(std::move(file)),
      path_(file_->path),
      size_(static_cast<uint64_t>(file_->info.st_size)),
      patience_(limits.time),
      cancel_(limits.cancel) {}

FileSource::~FileSource() = default;

std::string_view FileSource::beginning() const {
  return file_ ? std::string_view(file_->beginning) : std::string_view();
}

Status FileSource::guarded(const std::function<Status(File&)>& work) {
  if (!file_) return io_error(printable(path_) + " could not be read any further; is its disk still there?");
  Status status = run_guarded(printable(path_), patience_, cancel_, [file = file_, work] { return work(*file); });
  // A thread that was left behind may still write to what it was given.
  if (!status.ok()) file_.reset();
  return status;
}

Result<size_t> FileSource::read(uint64_t offset, std::span<char> out) {
  const uint64_t left = offset < size_ ? size_ - offset : 0;
  const auto wanted = static_cast<size_t>(std::min<uint64_t>(out.size(), left));
  for (size_t done = 0; done < wanted;) {
    const size_t n = std::min(kSlice, wanted - done);
    MNEME_RETURN_IF_ERROR(guarded([at = offset + done, n](File& file) { return file.read(at, n); }));
    file_->slice.copy(out.data() + done, n);
    done += n;
  }
  return wanted;
}

Status FileSource::unchanged() {
  return guarded([](File& file) { return file.unchanged(); });
}

}  // namespace mneme::readers
