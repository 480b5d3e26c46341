#include "app/process/bus_error.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/output/terminal_characters.h"
#include "base/last_words.h"
#include "base/utf8.h"

namespace mneme::app {
namespace {

// All of this runs inside a signal handler: system calls and memory that is there already, nothing else.

// A line of text of bounded length.
class Line {
 public:
  Line& operator<<(std::string_view text) {
    for (const char c : text) {
      if (size_ < bytes_.size()) bytes_[size_++] = c;
    }
    return *this;
  }
  // Of a file name: without what a terminal would obey or JSON would not take as it stands.
  Line& shown(std::string_view name) {
    for (size_t offset = 0; offset < name.size();) {
      const size_t begin = offset;
      const char32_t c = utf8::next(name, offset);
      const bool plain = !is_obeyed(c) && c != U'\n' && c != U'\t' && c != U'"' && c != U'\\' && c != U'\uFFFD';
      *this << (plain ? name.substr(begin, offset - begin) : std::string_view("?"));
    }
    return *this;
  }
  std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, 4700> bytes_{};  // the longest path and a sentence
  size_t size_ = 0;
};

// Reads hexadecimal digits off the front.
uintptr_t take_hex(std::string_view& text) {
  uintptr_t value = 0;
  while (!text.empty()) {
    const char c = text.front();
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) break;
    value = value * 16 + static_cast<uintptr_t>(digit);
    text.remove_prefix(1);
  }
  return value;
}

// The file of a line of /proc/self/maps when `address` lies in it: "begin-end rwxp offset device inode   /path".
std::string_view file_at(std::string_view line, uintptr_t address) {
  const uintptr_t begin = take_hex(line);
  if (line.empty() || line.front() != '-') return {};
  line.remove_prefix(1);
  const uintptr_t end = take_hex(line);
  if (address < begin || address >= end) return {};
  const size_t path = line.find('/');
  return path == std::string_view::npos ? std::string_view() : line.substr(path);
}

// Passes the lines of /proc/self/maps to `visit` until it says true.
template <typename Visit>
void each_mapping(Visit visit) {
  static std::array<char, 16384> buffer;  // not on the stack, which may be a small one
  const int maps = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  size_t kept = 0;
  for (bool done = false; maps >= 0 && !done;) {
    const ssize_t n = ::read(maps, buffer.data() + kept, buffer.size() - kept);
    if (n <= 0) break;
    std::string_view text(buffer.data(), kept + static_cast<size_t>(n));
    for (size_t end = text.find('\n'); end != std::string_view::npos && !done; end = text.find('\n')) {
      done = visit(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
    // The rest of a line; one longer than the buffer is none of ours.
    kept = text.size() < buffer.size() ? text.size() : 0;
    for (size_t i = 0; i < kept; ++i) buffer[i] = text[i];
  }
  if (maps >= 0) ::close(maps);
}

// Memory that programs share through a file is written to: where the file system has no room for it, this is how the
// system says so.
[[noreturn]] void explain_shared_memory(std::string_view path) {
  Line line;
  line << "cannot write ";
  line.shown(path) << ": its disk, or your quota of it, is full, or it failed; free some space and start anew";
  end_with_last_words(StatusCode::kNoSpace, line.text());
}

[[noreturn]] void explain(std::string_view path) {
  if (path.ends_with("-shm")) explain_shared_memory(path);
  Line line;
  line << "cannot read ";
  line.shown(path) << ": its disk failed, or the file was cut short while it was in use; copy it again and start anew";
  end_with_last_words(StatusCode::kCorruption, line.text());
}

void on_bus_error(int number, siginfo_t* information, void*) {
  const auto address = reinterpret_cast<uintptr_t>(information->si_addr);
  if (information->si_code == BUS_ADRERR || information->si_code == BUS_OBJERR) {
    each_mapping([&](std::string_view line) {
      const std::string_view path = file_at(line, address);
      if (!path.empty()) explain(path);
      return false;
    });
  }
  // Ends the program as if nobody had asked.
  ::signal(number, SIG_DFL);
  ::raise(number);
}

}  // namespace

void explain_bus_errors(bool json) {
  last_words_in_json(json);
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace mneme::app
