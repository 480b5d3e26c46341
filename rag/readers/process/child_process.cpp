#include "rag/readers/process/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/file_descriptor.h"
#include "rag/readers/process/child_launch.h"
#include "rag/readers/process/child_streams.h"

namespace mneme::readers {
namespace {

// Ends the child if it still runs, and reaps it.
class ChildGuard {
 public:
  explicit ChildGuard(pid_t pid) : pid_(pid) {}
  ~ChildGuard() {
    if (pid_ > 0) reap_killed();
  }
  ChildGuard(const ChildGuard&) = delete;
  ChildGuard& operator=(const ChildGuard&) = delete;

  // Exit code of a child that has closed its streams; one that does not end soon after is killed.
  int wait() {
    constexpr int kPatienceMs = 2000;
    int state = 0;
    pid_t done = 0;
    for (int ms = 0; ms < kPatienceMs && done == 0; ++ms) {
      done = ::waitpid(pid_, &state, WNOHANG);
      if (done == 0) ::usleep(ms < 20 ? 200 : 1000);
    }
    if (done == 0) return reap_killed();
    pid_ = -1;
    return exit_code_of(state);
  }

 private:
  // Inside a reader's own sandbox killing is denied: the child then ends with its time or with us.
  int reap_killed() {
    const bool killed = ::kill(pid_, SIGKILL) == 0;
    int state = 0;
    while (killed && ::waitpid(pid_, &state, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return 128 + SIGKILL;
  }

  pid_t pid_;
};

}  // namespace

std::string find_program(std::string_view name) {
  std::string folders = "/usr/bin:/usr/local/bin:/bin:/opt/local/bin";
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (path != nullptr) folders = std::string(path) + ":" + folders;
  for (size_t begin = 0; begin < folders.size();) {
    const size_t end = std::min(folders.find(':', begin), folders.size());
    // Relative entries of PATH are not followed: the working folder may hold documents.
    if (end > begin && folders[begin] == '/') {
      std::string candidate = folders.substr(begin, end - begin);
      candidate.append("/").append(name);
      if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    begin = end + 1;
  }
  return {};
}

Result<ChildResult> run_child(const std::vector<std::string>& argv, int stdin_fd, const ChildLimits& limits,
                              const std::function<Status(std::string_view)>& on_output) {
  constexpr int kLeast = 3;  // above what the child's own are to be
  FileDescriptor out;
  FileDescriptor out_child;
  FileDescriptor err;
  FileDescriptor err_child;
  const FileDescriptor in_child = descriptor_from(kLeast, stdin_fd);
  if (!in_child.is_open() || !make_pipe(kLeast, out, out_child) || !make_pipe(kLeast, err, err_child))
    return errno_error("make a pipe for", argv[0], errno);
  ::fcntl(out.get(), F_SETPIPE_SZ, kStreamBytes);  // a hint
  const std::vector<char*> arguments = null_ended(argv);
  const std::vector<std::string> variables = child_environment();
  const std::vector<char*> environment = null_ended(variables);
  const std::array<int, kLeast> descriptors = {in_child.get(), out_child.get(), err_child.get()};
  const pid_t pid = launch_child({.argv = arguments.data(),
                                  .environment = environment.data(),
                                  .descriptors = descriptors,
                                  .limits = resource_limits(limits)});
  if (pid < 0) return errno_error("start", argv[0], errno);
  ChildGuard guard(pid);
  out_child.reset();
  err_child.reset();
  ChildResult result;
  MNEME_RETURN_IF_ERROR(drain(out.get(), err.get(), limits, on_output, result));
  if (!result.timed_out) result.exit_code = guard.wait();
  if (result.exit_code == kCannotStart) return io_error("cannot start " + argv[0] + ".");
  return result;
}

FileDescriptor memory_file(std::string_view bytes) {
  FileDescriptor file(::memfd_create("document", MFD_CLOEXEC));
  if (!file.is_open()) return {};
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return {};
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

}  // namespace mneme::readers
