#include "tests/faults/child.h"

#include <execinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>

namespace mneme::faults {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMessageBytes = 2000;

struct Report {
  bool reached = false;
  bool ok = false;
  int64_t calls = 0;
  char message[kMessageBytes] = {};
};

Status attempt(const std::function<Status()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    disarm();
    return resource_error("there is not enough memory; close other programs and try again");
  } catch (const std::exception& error) {
    disarm();
    return Status(StatusCode::kInternal, error.what());
  }
}

// Says where an exception left our hands before it ends the child.
[[noreturn]] void say_where() {
  disarm();
  void* frames[60];
  backtrace_symbols_fd(frames, backtrace(frames, 60), STDERR_FILENO);
  std::abort();
}

[[noreturn]] void be_child(Fault fault, int64_t n, const std::string& watched, const std::function<Status()>& work,
                           int told) {
  std::set_terminate(say_where);
  watch(watched);
  arm(fault, n);
  const Status status = attempt(work);
  Report report;
  report.calls = disarm();
  report.reached = fired();
  report.ok = status.ok();
  std::strncpy(report.message, status.message().c_str(), kMessageBytes - 1);
  const ssize_t written = ::write(told, &report, sizeof report);
  _exit(written == sizeof report ? 0 : 1);
}

}  // namespace

Ending run_in_child(Fault fault, int64_t n, const std::string& watched, const std::function<Status()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return {.signal = -1, .message = "no pipe"};
  const pid_t child = ::fork();
  if (child == 0) be_child(fault, n, watched, work, ends[1]);
  ::close(ends[1]);
  Report report;
  const ssize_t got = ::read(ends[0], &report, sizeof report);
  ::close(ends[0]);
  int state = 0;
  ::waitpid(child, &state, 0);
  Ending ending;
  ending.signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
  if (got != sizeof report) {
    ending.reached = true;
    ending.message = "the process ended without a word";
    return ending;
  }
  ending.reached = report.reached;
  ending.ok = report.ok;
  ending.calls = report.calls;
  ending.message = report.message;
  return ending;
}

std::string scratch_folder(const std::string& name) {
  constexpr uintmax_t kEnough = uintmax_t{1} << 30;  // in containers it may be small
  std::error_code absent;
  const bool in_memory = ::access("/dev/shm", W_OK | X_OK) == 0 && fs::space("/dev/shm", absent).available >= kEnough;
  const std::string root = in_memory ? "/dev/shm" : fs::temp_directory_path().string();
  std::string folder = root + "/mneme-" + name + "-XXXXXX";
  return mkdtemp(folder.data()) != nullptr ? folder : std::string();
}

int64_t amount(const char* variable, int64_t standard) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? std::strtoll(text, nullptr, 10) : standard;
}

}  // namespace mneme::faults
