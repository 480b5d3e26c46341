#include "app/passphrase.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "app/text_input.h"
#include "base/file_descriptor.h"

namespace mneme::app {
namespace {

constexpr size_t kMostBytes = 4096;

// Nothing typed is shown until it ends.
class QuietTerminal {
 public:
  explicit QuietTerminal(int fd) : fd_(fd) {
    if (::tcgetattr(fd_, &before_) != 0) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    quiet.c_lflag |= ECHONL;
    changed_ = ::tcsetattr(fd_, TCSAFLUSH, &quiet) == 0;
  }
  ~QuietTerminal() {
    if (changed_) (void)::tcsetattr(fd_, TCSAFLUSH, &before_);
  }
  QuietTerminal(const QuietTerminal&) = delete;
  QuietTerminal& operator=(const QuietTerminal&) = delete;

 private:
  int fd_;
  termios before_{};
  bool changed_ = false;
};

Result<storage::Secret> not_empty(storage::Secret passphrase) {
  if (passphrase.bytes().empty()) return usage_error("the passphrase is empty; it must have at least one character.");
  return passphrase;
}

storage::Secret first_line(std::string& text) {
  std::string_view line(text);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  storage::Secret secret(line);
  storage::wipe(text);
  return secret;
}

Result<storage::Secret> typed(int terminal, const std::string& prompt) {
  std::string line;
  line.reserve(kMostBytes);
  const QuietTerminal quiet(terminal);
  if (::write(terminal, prompt.data(), prompt.size()) < 0) return errno_error("write to", "the terminal", errno);
  char character = 0;
  while (line.size() < kMostBytes) {
    const ssize_t n = ::read(terminal, &character, 1);
    if (n < 0) {
      const int error = errno;
      storage::wipe(line);
      return error == EINTR ? cancelled() : errno_error("read from", "the terminal", error);
    }
    if (n == 0 || character == '\n') break;
    line.push_back(character);
  }
  return first_line(line);
}

Result<FileDescriptor> open_terminal(const PassphraseQuestion& question) {
  FileDescriptor terminal(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
  if (!terminal.is_open())
    return usage_error("there is no terminal to ask for the passphrase; " + question.instead_of_it);
  return terminal;
}

Result<storage::Secret> from_file(const std::string& file) {
  MNEME_ASSIGN_OR_RETURN(std::string text, read_file_or_pipe(file, kMostBytes));
  return not_empty(first_line(text));
}

}  // namespace

Result<storage::Secret> read_passphrase(const std::string& file, const PassphraseQuestion& question) {
  if (!file.empty()) return from_file(file);
  MNEME_ASSIGN_OR_RETURN(const FileDescriptor terminal, open_terminal(question));
  MNEME_ASSIGN_OR_RETURN(storage::Secret passphrase, typed(terminal.get(), question.prompt));
  return not_empty(std::move(passphrase));
}

Result<storage::Secret> read_new_passphrase(const std::string& file, const PassphraseQuestion& question) {
  if (!file.empty()) return from_file(file);
  MNEME_ASSIGN_OR_RETURN(const FileDescriptor terminal, open_terminal(question));
  MNEME_ASSIGN_OR_RETURN(storage::Secret passphrase, typed(terminal.get(), question.prompt));
  MNEME_ASSIGN_OR_RETURN(const storage::Secret again, typed(terminal.get(), "The same once more: "));
  if (!std::ranges::equal(passphrase.bytes(), again.bytes())) {
    return usage_error("the two passphrases differ; nothing was changed, try again.");
  }
  return not_empty(std::move(passphrase));
}

}  // namespace mneme::app
