// A library that is loaded into a program which reads one document (forking_program.h): where the program opens
// /dev/stdin, it stays, and forks a child for each document that is asked for, which goes on from there. By then all
// libraries are linked and tables are built; of documents it has seen nothing, and never does. Uses the C library
// alone.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "rag/readers/process/fork_wire.h"
#include "rag/readers/process/sandbox.h"

namespace mneme::readers {
namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

bool receive(int pipe, void* out, size_t size) {
  ssize_t got = 0;
  do {
    got = ::read(pipe, out, size);  // shorter than what a pipe writes at once
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(size);
}

bool send(int pipe, const void* what, size_t size) {
  return ::write(pipe, what, size) == static_cast<ssize_t>(size);
}

bool open_pipe(Pipe& pipe) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  pipe = {ends[0], ends[1]};
  return true;
}

int open_document(pid_t starter, int64_t number) {
  char path[64];
  (void)std::snprintf(path, sizeof path, "/proc/%d/fd/%lld", static_cast<int>(starter), static_cast<long long>(number));
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC));
}

// In the child: has the document and its own two streams, nothing else.
void become_reader(const ForkRequest& request, const Pipe& output, const Pipe& errors, pid_t server, pid_t starter) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int document = ::getppid() == server ? open_document(starter, request.document) : -1;
  const bool is_ready =
      document >= 0 && ::dup2(document, 0) == 0 && ::dup2(output.write_end, 1) == 1 && ::dup2(errors.write_end, 2) == 2;
  if (!is_ready) ::_exit(kCannotStart);
  for (const int fd : {document, output.write_end, errors.write_end, kForkRequests, kForkReplies}) ::close(fd);
  limit_resources({.memory_bytes = request.memory_bytes, .cpu_seconds = request.cpu_seconds});
  (void)start_nothing_and_stay();  // an old kernel goes without
}

// Gives the rest of the large page away that the heap has come to, so that each child goes on in one of its own: of
// this one it would copy, page by page, what it writes to. Where the heap is another, nothing is lost.
void leave_large_page() {
  constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
  constexpr size_t kFromTheTop = size_t{512} << 10;  // what was freed is smaller
  constexpr size_t kMargin = 2048;  // what the heap notes behind the last piece stays before the page's end
  // NOLINTBEGIN(clang-analyzer-unix.Malloc): both pieces are given away
  void* const piece = std::malloc(kFromTheTop);
  const size_t left = kLargePage - (reinterpret_cast<uintptr_t>(piece) + kFromTheTop) % kLargePage;
  void* const rest = left > kMargin ? std::malloc(left - kMargin) : nullptr;
  __asm__ volatile("" : : "r"(rest));  // no compiler leaves it out
}
// NOLINTEND(clang-analyzer-unix.Malloc)

// Comes back in children only.
void fork_for_each_document() {
  ::close(kForkLibrary);
  leave_large_page();
  constexpr uint64_t kNever = uint64_t{1} << 31;
  const pid_t server = ::getpid();
  const pid_t starter = ::getppid();
  while (true) {
    Pipe output;
    Pipe errors;
    if (!open_pipe(output) || !open_pipe(errors)) ::_exit(1);
    ::fcntl(output.read_end, F_SETPIPE_SZ, kStreamBytes);  // a hint
    const ForkedPipes pipes{output.read_end, errors.read_end};
    ForkRequest request;
    if (!send(kForkReplies, &pipes, sizeof pipes) || !receive(kForkRequests, &request, sizeof request)) ::_exit(0);
    ::close(output.read_end);
    ::close(errors.read_end);
    const pid_t child = ::fork();
    if (child == 0) return become_reader(request, output, errors, server, starter);
    ::close(output.write_end);
    ::close(errors.write_end);
    // Who asked has given up by then, and may not kill: we end, and the child with us.
    ::alarm(request.cpu_seconds < kNever ? static_cast<unsigned>(request.cpu_seconds) : 0);
    int32_t state = kCannotStart << 8;
    while (child > 0 && ::waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    ::alarm(0);
    if (!send(kForkReplies, &state, sizeof state)) ::_exit(0);
  }
}

// What open() does, with the one place where the program stays.
int open_here(const char* path, int flags, mode_t mode) {
  static bool stayed = false;
  if (!stayed && std::strcmp(path, "/dev/stdin") == 0) {
    stayed = true;
    fork_for_each_document();
  }
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

}  // namespace
}  // namespace mneme::readers

// All names by which programs call open(): the C library's headers choose one.
extern "C" {
#define MNEME_OPENS __attribute__((visibility("default")))

MNEME_OPENS int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return mneme::readers::open_here(path, flags, mode);
}
MNEME_OPENS int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return mneme::readers::open_here(path, flags, mode);
}
// NOLINTBEGIN(bugprone-reserved-identifier): these are the C library's own
MNEME_OPENS int __open_2(const char* path, int flags) {
  return mneme::readers::open_here(path, flags, 0);
}
MNEME_OPENS int __open64_2(const char* path, int flags) {
  return mneme::readers::open_here(path, flags, 0);
}
// NOLINTEND(bugprone-reserved-identifier)
}
