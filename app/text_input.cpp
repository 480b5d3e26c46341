#include "app/text_input.h"

#include <unistd.h>

#include <cerrno>
#include <vector>

#include "base/bytes.h"
#include "storage/env/file_env.h"

namespace mneme::app {

Result<std::string> read_standard_input(uint64_t limit_bytes) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (n == 0) return text;
    if (n < 0 && errno == EINTR) return cancelled();
    if (n < 0) return errno_error("read", "standard input", errno);
    text.append(buffer, static_cast<size_t>(n));
    if (text.size() > limit_bytes) {
      return resource_error("standard input holds more than " + std::to_string(limit_bytes) +
                            " bytes; give a shorter text.");
    }
  }
}

Result<std::string> read_text_file(const std::string& path, uint64_t limit_bytes) {
  if (path == "-") return read_standard_input(limit_bytes);
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes,
                         storage::read_whole(storage::FileEnv::posix(), path, limit_bytes));
  return std::string(as_text(bytes));
}

}  // namespace mneme::app
