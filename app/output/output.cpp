#include "app/output/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/output/terminal_json.h"
#include "app/output/terminal_text.h"
#include "base/mutex.h"

namespace mneme::app {

struct Output::Parts {
  bool json = false;
  Verbosity verbosity = Verbosity::kNormal;
  bool stdout_terminal = false;
  bool stderr_terminal = false;
  Mutex mutex;
  bool status_shown MNEME_GUARDED_BY(mutex) = false;
  int write_error MNEME_GUARDED_BY(mutex) = 0;

  void clear_status() MNEME_REQUIRES(mutex) {
    if (status_shown) std::fputs("\r\x1b[K", stderr);
    status_shown = false;
  }
  void write_result(std::string_view text) MNEME_REQUIRES(mutex) {
    clear_status();
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && write_error == 0) write_error = errno;
    // A later flush would not say again that this one failed.
    if ((stdout_terminal || json) && std::fflush(stdout) != 0 && write_error == 0) write_error = errno;
  }
  void write_line(std::string_view text) {
    MutexLock lock(mutex);
    clear_status();
    std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
  }
};

namespace {

// Messages are made of parts, and few parts know that they are the last.
std::string as_sentence(std::string message) {
  const bool is_ended = message.empty() || message.ends_with('.') || message.ends_with('?') || message.ends_with('!');
  return is_ended ? message : std::move(message) + ".";
}

}  // namespace

Output::Output(bool json, Verbosity verbosity) : parts_(std::make_unique<Parts>()) {
  parts_->json = json;
  parts_->verbosity = verbosity;
  parts_->stdout_terminal = isatty(STDOUT_FILENO) == 1;
  parts_->stderr_terminal = isatty(STDERR_FILENO) == 1;
}

Output::~Output() = default;
Output::Output(Output&&) noexcept = default;

bool Output::json() const {
  return parts_->json;
}
Verbosity Output::verbosity() const {
  return parts_->verbosity;
}
bool Output::stdout_is_terminal() const {
  return parts_->stdout_terminal;
}
bool Output::stderr_is_terminal() const {
  return parts_->stderr_terminal;
}

int Output::columns() const {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

void Output::print(std::string_view text) {
  MutexLock lock(parts_->mutex);
  parts_->write_result(text);
}

void Output::print_json(const nlohmann::json& value) {
  const std::string line = terminal_json(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) + "\n";
  MutexLock lock(parts_->mutex);
  parts_->write_result(line);
}

void Output::note(std::string_view text) {
  if (parts_->verbosity != Verbosity::kQuiet) parts_->write_line(terminal_safe(text));
}

void Output::detail(std::string_view text) {
  if (parts_->verbosity != Verbosity::kVerbose) return;
  while (text.ends_with('\n')) text.remove_suffix(1);
  if (!text.empty()) parts_->write_line(terminal_safe(text));
}

void Output::warning(std::string_view text) {
  parts_->write_line("warning: " + terminal_safe(text));
}

void Output::error(const Status& status) {
  const std::string message = as_sentence(status.message());
  parts_->write_line("mneme: " + terminal_line(message));
  if (!parts_->json) return;
  nlohmann::json object;
  object["error"]["code"] = code_name(status.code());
  object["error"]["message"] = message;
  print_json(object);
}

void Output::status_line(std::string_view text) {
  if (!parts_->stderr_terminal || parts_->verbosity == Verbosity::kQuiet) return;
  MutexLock lock(parts_->mutex);
  parts_->clear_status();
  if (!text.empty()) {
    const std::string line = cut_to_width(terminal_line(text), columns() - 1);
    std::fwrite(line.data(), 1, line.size(), stderr);
    parts_->status_shown = true;
  }
  std::fflush(stderr);
}

Status Output::flush() {
  status_line("");
  MutexLock lock(parts_->mutex);
  if (std::fflush(stdout) != 0 && parts_->write_error == 0) parts_->write_error = errno;
  if (parts_->write_error == 0) return {};
  return errno_error("write to", "standard output", parts_->write_error);
}

}  // namespace mneme::app
