#include "rag/readers/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/file_descriptor.h"
#include "rag/readers/process/sandbox.h"

namespace mneme::readers {
namespace {

using Clock = std::chrono::steady_clock;

// The child's heap in large pages, as ours is (base/large_pages.h): with pdftotext and map_heap_of_next_program() half
// as many pages are touched for the first time. Other C libraries than glibc, and older ones, take no notice.
constexpr const char* kLargePages =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4194304:glibc.malloc.top_pad=4194304";

// Everything the child needs between vfork() and exec, made ready before: there it may only make system calls.
struct Launch {
  char* const* argv;
  char* const* environment;
  int stdin_fd;
  int stdout_fd;
  int stderr_fd;
  ResourceLimits limits;
};

[[noreturn]] void become_child(const Launch& launch) {
  if (::dup2(launch.stdin_fd, 0) < 0 || ::dup2(launch.stdout_fd, 1) < 0 || ::dup2(launch.stderr_fd, 2) < 0)
    ::_exit(127);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);  // Ctrl-C on the terminal is for us; we end the child ourselves
  limit_resources(launch.limits);
  map_heap_of_next_program();
#if defined(SYS_close_range)
  ::syscall(SYS_close_range, 3U, ~0U, 0U);
#endif
  (void)enter_sandbox();  // an old kernel goes without
  ::execve(launch.argv[0], launch.argv, launch.environment);
  ::_exit(127);
}

// vfork() spares the copy of our page tables, which are large once a model is mapped. posix_spawn() knows neither
// limits nor a sandbox; the child here makes nothing but system calls.
pid_t launch_child(const Launch& launch) {
  // NOLINTBEGIN(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork,clang-analyzer-unix.Vfork)
  const pid_t pid = ::vfork();
  if (pid == 0) become_child(launch);
  // NOLINTEND(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork,clang-analyzer-unix.Vfork)
  return pid;
}

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
    if (WIFEXITED(state)) return WEXITSTATUS(state);
    return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : -1;
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

// A copy of a descriptor outside 0 to 2, which dup2() in the child would overwrite.
int above_standard(int fd) {
  return ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

bool make_pipe(FileDescriptor& read_end, FileDescriptor& write_end) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  FileDescriptor low_read;
  FileDescriptor low_write;
  low_read.reset(ends[0]);
  low_write.reset(ends[1]);
  read_end.reset(above_standard(ends[0]));
  write_end.reset(above_standard(ends[1]));
  ::fcntl(read_end.get(), F_SETPIPE_SZ, 1 << 20);  // a hint
  return read_end.is_open() && write_end.is_open();
}

// Reads what is there; false at the end of the stream.
bool read_some(int fd, std::array<char, 65536>& buffer, std::string_view& got) {
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
    got = {};
    return true;
  }
  got = std::string_view(buffer.data(), count > 0 ? static_cast<size_t>(count) : 0);
  return count > 0;
}

// Passes on both streams until they end. True in `timed_out` when the time ran out first.
Status drain(int out, int err, const ChildLimits& limits, const std::function<Status(std::string_view)>& on_output,
             ChildResult& result) {
  constexpr size_t kMostErrors = 4096;
  const Clock::time_point deadline = Clock::now() + limits.time;
  std::array<pollfd, 2> streams{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  std::array<char, 65536> buffer;
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    if (limits.cancel && limits.cancel->cancelled()) return cancelled();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      result.timed_out = true;
      return {};
    }
    const int ready = ::poll(streams.data(), streams.size(), static_cast<int>(std::min<int64_t>(left, 100)));
    if (ready < 0 && errno != EINTR) return errno_error("wait for", "a child process", errno);
    for (pollfd& stream : streams) {
      if (ready <= 0 || stream.fd < 0 || stream.revents == 0) continue;
      std::string_view got;
      const bool is_output = stream.fd == out;
      if (!read_some(stream.fd, buffer, got)) stream.fd = -1;
      if (is_output && !got.empty()) MNEME_RETURN_IF_ERROR(on_output(got));
      if (!is_output) result.errors.append(got.substr(0, kMostErrors - std::min(kMostErrors, result.errors.size())));
    }
  }
  return {};
}

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
  FileDescriptor out;
  FileDescriptor out_child;
  FileDescriptor err;
  FileDescriptor err_child;
  FileDescriptor in_child;
  in_child.reset(above_standard(stdin_fd));
  if (!in_child.is_open() || !make_pipe(out, out_child) || !make_pipe(err, err_child))
    return errno_error("make a pipe for", argv[0], errno);
  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::array<std::string, 4> variables = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "OMP_THREAD_LIMIT=1", kLargePages};
  std::array<char*, 5> environment{};  // ends in null
  std::transform(variables.begin(), variables.end(), environment.begin(), [](std::string& v) { return v.data(); });
  Launch launch;
  launch.argv = arguments.data();
  launch.environment = environment.data();
  launch.stdin_fd = in_child.get();
  launch.stdout_fd = out_child.get();
  launch.stderr_fd = err_child.get();
  launch.limits.memory_bytes = limits.memory_bytes;
  launch.limits.cpu_seconds = static_cast<uint64_t>(limits.time.count() / 1000 + 1);
  const pid_t pid = launch_child(launch);
  if (pid < 0) return errno_error("start", argv[0], errno);
  ChildGuard guard(pid);
  out_child.reset();
  err_child.reset();
  ChildResult result;
  MNEME_RETURN_IF_ERROR(drain(out.get(), err.get(), limits, on_output, result));
  if (!result.timed_out) result.exit_code = guard.wait();
  if (result.exit_code == 127) return io_error("cannot start " + argv[0] + ".");
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
