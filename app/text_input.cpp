#include "app/text_input.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <istream>
#include <vector>

#include "base/bytes.h"
#include "base/file_descriptor.h"
#include "storage/env/file_env.h"

namespace mneme::app {

namespace {

Status too_long(const std::string& what, uint64_t limit_bytes) {
  return resource_error(what + " more than " + std::to_string(limit_bytes) + " bytes; give a shorter text.");
}

Result<std::string> read_all(int descriptor, const std::string& name, uint64_t limit_bytes) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
    if (n == 0) return text;
    if (n < 0 && errno == EINTR) return cancelled();
    if (n < 0) return errno_error("read", name, errno);
    text.append(buffer, static_cast<size_t>(n));
    if (text.size() > limit_bytes) return too_long(name + " holds", limit_bytes);
  }
}

}  // namespace

Result<std::string> read_standard_input(uint64_t limit_bytes) {
  return read_all(STDIN_FILENO, "standard input", limit_bytes);
}

Result<std::string> read_file_or_pipe(const std::string& path, uint64_t limit_bytes) {
  if (path == "-") return read_standard_input(limit_bytes);
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return errno == EINTR ? cancelled() : errno_error("open", path, errno);
  return read_all(file.get(), path, limit_bytes);
}

Result<std::string> read_text_file(const std::string& path, uint64_t limit_bytes) {
  if (path == "-") return read_standard_input(limit_bytes);
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes,
                         storage::read_whole(storage::FileEnv::posix(), path, limit_bytes));
  return std::string(as_text(bytes));
}

Result<std::optional<std::string>> read_line(std::istream& in, uint64_t limit_bytes, const CancelToken& cancel) {
  std::string line;
  bool any = false;
  bool fits = true;
  while (!cancel.cancelled()) {
    errno = 0;  // a stream says that there is no more, but not why
    const int c = in.get();
    if (c == std::istream::traits_type::eof()) {
      if (errno != 0 && errno != EINTR) return errno_error("read", "standard input", errno);
      break;
    }
    any = true;
    if (c == '\n') break;
    fits = fits && line.size() < limit_bytes;
    if (fits) line.push_back(static_cast<char>(c));
  }
  if (!any || cancel.cancelled()) return std::optional<std::string>();
  if (!fits) return too_long("a line has", limit_bytes);
  return std::optional(std::move(line));
}

}  // namespace mneme::app
