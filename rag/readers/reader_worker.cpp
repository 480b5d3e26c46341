#include "rag/readers/reader_worker.h"

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
#include <chrono>
#include <cstring>
#include <memory>
#include <utility>

#include "base/file_descriptor.h"
#include "base/guarded.h"
#include "base/mutex.h"
#include "rag/readers/read_context.h"
#include "rag/readers/sandbox.h"
#include "rag/readers/worker_wire.h"

namespace mneme::readers {
namespace {

using Clock = std::chrono::steady_clock;

// More than an honest worker needs beyond the file's own limits.
constexpr uint64_t kWorkerMemoryBytes = uint64_t{6} << 30;
constexpr uint64_t kAnonymousFileBytes = uint64_t{1} << 30;  // what pdftotext is given
constexpr uint64_t kMostFrameBytes = uint64_t{1} << 31;
constexpr std::chrono::seconds kGrace{10};  // after the file's own time is up

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitised = true;
#elif defined(__has_feature)
constexpr bool kSanitised = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitised = false;
#endif

struct WorkerProgram {
  Mutex mutex;
  std::string path MNEME_GUARDED_BY(mutex);
  std::string argument MNEME_GUARDED_BY(mutex);
};
WorkerProgram& worker_program() {
  static WorkerProgram program;
  return program;
}

// The worker's side, with write(): sockets' own calls are denied in the sandbox.
bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

std::string_view as_text(const FrameHeader& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

// A child that serves one thread. Ends it and reaps it.
class Worker {
 public:
  static Result<std::unique_ptr<Worker>> start(const std::string& program, const std::string& argument);
  ~Worker() { end(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Status read(std::string_view name, ByteSpan bytes, const ReadLimits& limits, const DocumentSink& sink);
  bool usable() const { return socket_.is_open(); }

 private:
  Worker(pid_t pid, FileDescriptor socket) : pid_(pid), socket_(std::move(socket)) {}

  void end() {
    socket_.reset();
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }
  Status converse(std::string_view name, ByteSpan bytes, const ReadLimits& limits, const DocumentSink& sink);
  // Both by the deadline, and exactly as much: a reader that a document took over may neither listen nor answer.
  Result<bool> wait_for(short what, std::string_view name, const ReadLimits& limits) const;
  Status send(std::string_view bytes, std::string_view name, const ReadLimits& limits);
  Status receive(char* out, size_t size, std::string_view name, const ReadLimits& limits);
  Status gone(std::string_view name) const {
    return corruption(printable(name) + " made its reader fail; the file was left out.");
  }

  pid_t pid_;
  FileDescriptor socket_;
  Clock::time_point deadline_{};
  bool in_step_ = true;  // the last request was answered to its end
};

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

Result<std::unique_ptr<Worker>> Worker::start(const std::string& program, const std::string& argument) {
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
  return std::unique_ptr<Worker>(new Worker(pid, std::move(ours)));
}

// Waits for what the socket is to be ready for, a while at most; whether it is.
Result<bool> Worker::wait_for(short what, std::string_view name, const ReadLimits& limits) const {
  if (limits.cancel != nullptr && limits.cancel->cancelled()) return cancelled();
  if (Clock::now() > deadline_) {
    return resource_error("reading " + printable(name) + " took longer than " + std::to_string(limits.time.count()) +
                          " ms; the file was left out.");
  }
  pollfd stream{socket_.get(), what, 0};
  const int ready = ::poll(&stream, 1, 100);
  if (ready < 0 && errno != EINTR) return errno_error("wait for", "a reader", errno);
  return ready > 0;
}

Status Worker::send(std::string_view bytes, std::string_view name, const ReadLimits& limits) {
  while (!bytes.empty()) {
    MNEME_ASSIGN_OR_RETURN(const bool ready, wait_for(POLLOUT, name, limits));
    if (!ready) continue;
    // A reader that is gone is EPIPE, never a signal.
    const ssize_t sent =
        ::send(socket_.get(), bytes.data(), std::min<size_t>(bytes.size(), 1u << 20), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent <= 0) return gone(name);
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return {};
}

Status Worker::receive(char* out, size_t size, std::string_view name, const ReadLimits& limits) {
  while (size > 0) {
    MNEME_ASSIGN_OR_RETURN(const bool ready, wait_for(POLLIN, name, limits));
    if (!ready) continue;
    const ssize_t got = ::read(socket_.get(), out, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return gone(name);
    out += got;
    size -= static_cast<size_t>(got);
  }
  return {};
}

Status Worker::converse(std::string_view name, ByteSpan bytes, const ReadLimits& limits, const DocumentSink& sink) {
  deadline_ = Clock::now() + limits.time * (limits.ocr ? 10 : 1) + kGrace;
  const std::string request = encode_request(name, mneme::as_text(bytes), limits);
  const FrameHeader header{FrameType::kRequest, 0, request.size()};
  MNEME_RETURN_IF_ERROR(send(as_text(header), name, limits));
  MNEME_RETURN_IF_ERROR(send(request, name, limits));
  while (true) {
    FrameHeader reply;
    MNEME_RETURN_IF_ERROR(receive(reinterpret_cast<char*>(&reply), sizeof reply, name, limits));
    if (reply.length > kMostFrameBytes) return gone(name);
    std::string content(reply.length, '\0');
    MNEME_RETURN_IF_ERROR(receive(content.data(), content.size(), name, limits));
    if (reply.type == FrameType::kDone) {
      in_step_ = true;
      return decode_status(content);
    }
    if (reply.type != FrameType::kItem) return gone(name);
    MNEME_ASSIGN_OR_RETURN(ReadItem item, decode_item(content));
    MNEME_RETURN_IF_ERROR(sink(std::move(item)));
  }
}

Status Worker::read(std::string_view name, ByteSpan bytes, const ReadLimits& limits, const DocumentSink& sink) {
  in_step_ = false;
  Status status = guarded("reading a file", [&] { return converse(name, bytes, limits, sink); });
  // One that was left in the middle of its words, or broke, serves nobody else.
  if (!in_step_) end();
  return status;
}

// ---- The worker's side

bool read_exactly(int fd, char* out, size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(fd, out, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    out += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

bool send_frame(int fd, FrameType type, const std::string& content) {
  const FrameHeader header{type, 0, content.size()};
  return write_all(fd, as_text(header)) && write_all(fd, content);
}

// False when the program is gone.
bool answer_one(int fd, const ReadBytes& read) {
  FrameHeader header;
  if (!read_exactly(fd, reinterpret_cast<char*>(&header), sizeof header)) return false;
  if (header.type != FrameType::kRequest || header.length > kMostFrameBytes) return false;
  std::string content(header.length, '\0');
  if (!read_exactly(fd, content.data(), content.size())) return false;
  bool connected = true;
  const Status status = guarded("reading a file", [&]() -> Status {
    MNEME_ASSIGN_OR_RETURN(WorkerRequest request, decode_request(content));
    std::string().swap(content);
    return read(request.name, as_bytes(request.bytes), request.limits, [&](const ReadItem& item) -> Status {
      connected = connected && send_frame(fd, FrameType::kItem, encode_item(item));
      return connected ? Status() : cancelled();
    });
  });
  return connected && send_frame(fd, FrameType::kDone, encode_status(status));
}

}  // namespace

void set_worker_program(std::string program, std::string argument) {
  WorkerProgram& chosen = worker_program();
  MutexLock lock(chosen.mutex);
  chosen.path = std::move(program);
  chosen.argument = std::move(argument);
}

Status read_bytes_apart(std::string_view name, ByteSpan bytes, const ReadLimits& limits, const DocumentSink& sink) {
  std::string program;
  std::string argument;
  {
    WorkerProgram& chosen = worker_program();
    MutexLock lock(chosen.mutex);
    program = chosen.path;
    argument = chosen.argument;
  }
  if (program.empty()) return read_bytes(name, bytes, limits, sink);
  thread_local std::unique_ptr<Worker> worker;
  if (worker == nullptr || !worker->usable()) {
    MNEME_ASSIGN_OR_RETURN(worker, Worker::start(program, argument));
  }
  return worker->read(name, bytes, limits, sink);
}

Status read_file_apart(const std::string& path, const ReadLimits& limits, const DocumentSink& sink) {
  std::string bytes;
  MNEME_RETURN_IF_ERROR(load_file(path, limits, bytes));
  return read_bytes_apart(path, mneme::as_bytes(bytes), limits, sink);
}

int serve_worker(int descriptor, const ReadBytes& read) {
  (void)enter_sandbox();  // a kernel that has none goes without
  while (answer_one(descriptor, read)) {
  }
  return 0;
}

}  // namespace mneme::readers
