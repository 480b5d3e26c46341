#include "rag/readers/process/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "rag/readers/container_limits.h"
#include "rag/readers/process/sandbox.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {
namespace {

// More than an honest worker needs beyond the file's own limits.
constexpr uint64_t kWorkerMemoryBytes = uint64_t{6} << 30;
constexpr uint64_t kAnonymousFileBytes = uint64_t{1} << 30;  // what pdftotext is given
constexpr std::chrono::seconds kGrace{10};                   // after the file's own time is up

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitised = true;
#elif defined(__has_feature)
constexpr bool kSanitised = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitised = false;
#endif

// Made ready before vfork(): after it only system calls may be made.
struct Launch {
  const char* program;
  const char* argument;
  char* const* environment;
  int socket;
  int nowhere;
};

[[noreturn]] void become_worker(const Launch& launch) {
  if (::dup2(launch.socket, 0) < 0 || ::dup2(launch.nowhere, 1) < 0 || ::dup2(launch.nowhere, 2) < 0) ::_exit(127);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);  // Ctrl-C on the terminal is for the program, which ends its workers itself
  limit_resources({.memory_bytes = kSanitised ? 0 : kWorkerMemoryBytes, .file_bytes = kAnonymousFileBytes});
#if defined(SYS_close_range)
  ::syscall(SYS_close_range, 3U, ~0U, 0U);
#endif
  char* const arguments[] = {const_cast<char*>("mneme"), const_cast<char*>(launch.argument), nullptr};
  ::execve(launch.program, arguments, launch.environment);
  ::_exit(127);
}

// A function of its own: nothing that lives on after vfork() may be in registers of the child's.
pid_t launch_worker(const Launch& launch) {
  const pid_t pid = ::vfork();          // NOLINT(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork)
  if (pid == 0) become_worker(launch);  // NOLINT(clang-analyzer-unix.Vfork): it only makes system calls
  return pid;
}

}  // namespace

WorkerPatience::WorkerPatience(std::string_view name, const ReadLimits& limits, uint64_t size_bytes)
    : name_(name),
      cancel_(limits.cancel),
      silence_(time_of_member(limits) + kGrace),
      until_(Clock::now() + time_of_container(limits, size_bytes) + kGrace),
      silent_until_(Clock::now() + silence_) {}

void WorkerPatience::pass_over(Clock::time_point since) {
  const Clock::duration passed = Clock::now() - since;
  until_ += passed;
  silent_until_ += passed;
}

Status WorkerPatience::check() const {
  if (cancel_ != nullptr && cancel_->cancelled()) return cancelled();
  if (Clock::now() <= std::min(until_, silent_until_)) return {};
  const int64_t seconds = std::chrono::ceil<std::chrono::seconds>(silence_).count();
  return resource_error("reading " + printable(name_) + " took longer than " + std::to_string(seconds) +
                        " s for one piece, or too long in all; the file was left out.");
}

Status worker_failed(std::string_view name) {
  return corruption(printable(name) + " made its reader fail; the file was left out.");
}

void WorkerProcess::end() {
  socket_.reset();
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const std::string& program, const std::string& argument) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return errno_error("make a socket for", "a reader", errno);
  }
  FileDescriptor ours(ends[0]);
  const FileDescriptor theirs(ends[1]);
  const FileDescriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nowhere.is_open()) return errno_error("open", "/dev/null", errno);
  static char path[] = "PATH=/usr/bin:/bin";
  static char locale[] = "LC_ALL=C.UTF-8";
  char* const environment[] = {path, locale, nullptr};
  const Launch launch{program.c_str(), argument.c_str(), environment, theirs.get(), nowhere.get()};
  const pid_t pid = launch_worker(launch);
  if (pid < 0) return errno_error("start", "a reader", errno);
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(pid, std::move(ours)));
}

// Waits for what the socket is to be ready for, a while at most; whether it is.
Result<bool> WorkerProcess::wait_for(short what, const WorkerPatience& patience) const {
  MNEME_RETURN_IF_ERROR(patience.check());
  pollfd stream{socket_.get(), what, 0};
  const int ready = ::poll(&stream, 1, 100);
  if (ready < 0 && errno != EINTR) return errno_error("wait for", "a reader", errno);
  return ready > 0;
}

Status WorkerProcess::send_all(std::string_view bytes, const WorkerPatience& patience) {
  while (!bytes.empty()) {
    MNEME_ASSIGN_OR_RETURN(const bool ready, wait_for(POLLOUT, patience));
    if (!ready) continue;
    // A reader that is gone is EPIPE, never a signal.
    const ssize_t sent =
        ::send(socket_.get(), bytes.data(), std::min<size_t>(bytes.size(), 1u << 20), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent <= 0) return worker_failed(patience.name());
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return {};
}

Status WorkerProcess::receive_all(char* out, size_t size, const WorkerPatience& patience) {
  while (size > 0) {
    MNEME_ASSIGN_OR_RETURN(const bool ready, wait_for(POLLIN, patience));
    if (!ready) continue;
    const ssize_t got = ::read(socket_.get(), out, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return worker_failed(patience.name());
    out += got;
    size -= static_cast<size_t>(got);
  }
  return {};
}

Status WorkerProcess::send(FrameType type, std::string_view content, const WorkerPatience& patience) {
  const FrameHeader header{type, 0, content.size()};
  MNEME_RETURN_IF_ERROR(send_all(header_bytes(header), patience));
  return send_all(content, patience);
}

Result<WorkerFrame> WorkerProcess::receive(WorkerPatience& patience) {
  FrameHeader header;
  MNEME_RETURN_IF_ERROR(receive_all(reinterpret_cast<char*>(&header), sizeof header, patience));
  if (header.length > kMostFrameBytes) return worker_failed(patience.name());
  WorkerFrame frame{header.type, std::string(header.length, '\0')};
  MNEME_RETURN_IF_ERROR(receive_all(frame.content.data(), frame.content.size(), patience));
  patience.hears_something();
  return frame;
}

}  // namespace mneme::readers
