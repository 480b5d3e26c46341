#include "rag/readers/reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <utility>

#include "base/file_descriptor.h"
#include "rag/readers/compound_file.h"
#include "rag/readers/format_list.h"
#include "rag/readers/read_context.h"
#include "rag/readers/stall_guard.h"

namespace mneme::readers {
namespace {

bool same_file_state(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

Status changed_while_read(const std::string& path) {
  return Status(StatusCode::kBusy, printable(path) + " changed while it was being read; it will be read again later.");
}

Status check_openable(const std::string& path, const struct stat& info, const ReadLimits& limits) {
  if (S_ISDIR(info.st_mode)) return usage_error(printable(path) + " is a folder, not a file.");
  if (!S_ISREG(info.st_mode)) return unsupported(printable(path) + " is not a regular file; it was left out.");
  if (info.st_size == 0) return unsupported(printable(path) + " is empty.");
  if (static_cast<uint64_t>(info.st_size) > limits.file_bytes) {
    return resource_error(printable(path) + " is " + std::to_string(info.st_size >> 20) + " MiB, over the limit of " +
                          std::to_string(limits.file_bytes >> 20) + " MiB for one file; it was left out.");
  }
  return {};
}

// Texts in the file's own bytes come to as many; UTF-16 and UTF-32, which have zeros, and escapes of JSON to a quarter
// at least. Calendars and contacts, with folds and pictures that are left out, are read up to four times the limit.
bool holds_too_much_text(std::string_view name, std::string_view beginning, uint64_t size, const ReadLimits& limits) {
  static constexpr std::array<std::string_view, 6> kOwnText = {"text",     "markdown", "rst",
                                                               "asciidoc", "csv",      rag::kSourceFormat};
  static constexpr std::array<std::string_view, 3> kShrinking = {"json", "ics", "vcf"};
  const Format* format = find_format(name, beginning);
  const auto is_one_of = [&](const auto& formats) {
    return format && std::find(formats.begin(), formats.end(), format->name) != formats.end();
  };
  const bool shrinks = is_one_of(kShrinking);
  if (!shrinks && !is_one_of(kOwnText)) return false;
  const bool wide = beginning.find('\0') != std::string_view::npos;
  return size / (shrinks || wide ? 4 : 1) > limits.text_bytes;
}

Status read_fully(int fd, const std::string& path, std::string& bytes) {
  constexpr size_t kSlice = size_t{4} << 20;
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(fd, bytes.data() + done, std::min(kSlice, bytes.size() - done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error("read", printable(path), errno);
    if (got == 0) return changed_while_read(path);
    done += static_cast<size_t>(got);
  }
  return {};
}

std::string why_unknown(std::string_view bytes) {
  return is_compound_file(bytes) ? why_compound_file_is_refused(bytes) : "binary data of no known document format.";
}

// Before a gigabyte is read for nothing.
Status check_beginning(int fd, const std::string& path, const struct stat& info, const ReadLimits& limits) {
  std::array<char, 4096> beginning{};
  const ssize_t got = ::pread(fd, beginning.data(), beginning.size(), 0);
  if (got < 0) return errno_error("read", printable(path), errno);
  const std::string_view text(beginning.data(), static_cast<size_t>(got));
  // Old Office files say further behind what they are.
  const bool old_office = text.starts_with("\xd0\xcf\x11\xe0");
  if (!old_office && !find_format(path, text)) return unsupported(printable(path) + ": " + why_unknown(text));
  const auto size = static_cast<uint64_t>(info.st_size);
  return holds_too_much_text(path, text, size, limits) ? too_much_text(path, limits) : Status();
}

// What stat() said when it was opened.
struct OpenFile {
  FileDescriptor file;
  struct stat info{};
};

Status open_file(const std::string& path, const ReadLimits& limits, OpenFile& opened) {
  // O_NONBLOCK: opening a pipe nobody writes to must not wait; it means nothing for regular files.
  opened.file = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!opened.file.is_open()) return errno_error("open", printable(path), errno);
  if (::fstat(opened.file.get(), &opened.info) != 0) return errno_error("stat", printable(path), errno);
  MNEME_RETURN_IF_ERROR(check_openable(path, opened.info, limits));
  return check_beginning(opened.file.get(), path, opened.info, limits);
}

// The whole file, or why not. May block for as long as the file system does.
Status load(const std::string& path, const ReadLimits& limits, std::string& bytes) {
  OpenFile opened;
  MNEME_RETURN_IF_ERROR(open_file(path, limits, opened));
  bytes.resize(static_cast<size_t>(opened.info.st_size));
  // The cancel token may be gone when this thread has been given up; the caller watches it.
  MNEME_RETURN_IF_ERROR(read_fully(opened.file.get(), path, bytes));
  struct stat after{};
  if (::fstat(opened.file.get(), &after) != 0) return errno_error("stat", printable(path), errno);
  return same_file_state(opened.info, after) ? Status() : changed_while_read(path);
}

}  // namespace

Status dispatch(ReadContext& context, Input input) {
  MNEME_RETURN_IF_ERROR(context.check(input.name));
  if (input.bytes.empty()) return unsupported(printable(input.name) + " is empty.");
  const Format* format = find_format(input.name, input.bytes);
  if (!format) return unsupported(printable(input.name) + ": " + why_unknown(input.bytes));
  return format->read(context, std::move(input));
}

Status load_file(const std::string& path, const ReadLimits& limits, std::string& bytes) {
  // Shared with the thread that reads, which may be left behind hanging in the file system.
  const auto loaded = std::make_shared<std::string>();
  MNEME_RETURN_IF_ERROR(run_guarded(printable(path), limits.time, limits.cancel,
                                    [path, limits, loaded] { return load(path, limits, *loaded); }));
  bytes = std::move(*loaded);
  return {};
}

Status look_at_beginning(const std::string& path, const ReadLimits& limits) {
  OpenFile opened;
  return open_file(path, limits, opened);
}

Status read_file(const std::string& path, const ReadLimits& limits, const DocumentSink& sink) {
  ReadContext context(limits, sink);
  std::string bytes;
  MNEME_RETURN_IF_ERROR(load_file(path, limits, bytes));
  return dispatch(context, Input{.name = path, .bytes = std::move(bytes)});
}

Status read_bytes(std::string_view name, ByteSpan bytes, const ReadLimits& limits, const DocumentSink& sink) {
  if (bytes.size() > limits.file_bytes) {
    return resource_error(printable(name) + " is over the limit of " + std::to_string(limits.file_bytes >> 20) +
                          " MiB for one file.");
  }
  ReadContext context(limits, sink);
  return dispatch(context, Input{.name = std::string(name), .bytes = std::string(as_text(bytes))});
}

Result<rag::Document> read_document(std::string_view name, ByteSpan bytes, const ReadLimits& limits) {
  rag::Document document;
  bool found = false;
  MNEME_RETURN_IF_ERROR(read_bytes(name, bytes, limits, [&](ReadItem item) -> Status {
    if (!item.member.empty() || found) {
      return unsupported(printable(name) + " holds several documents; read it as a container.");
    }
    found = true;
    document = std::move(item.document);
    return item.status;
  }));
  if (!found) return unsupported(printable(name) + " holds no document.");
  return document;
}

}  // namespace mneme::readers
