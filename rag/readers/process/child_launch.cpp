#include "rag/readers/process/child_launch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace mneme::readers {
namespace {

// The child's heap in large pages, as ours is (base/large_pages.h): with pdftotext and map_heap_of_next_program() half
// as many pages are touched for the first time. Other C libraries than glibc, and older ones, take no notice.
constexpr const char* kLargePages =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4194304:glibc.malloc.top_pad=4194304";

// Between vfork() and exec only system calls may be made: all else was made ready before.
[[noreturn]] void become_child(const ChildLaunch& launch) {
  for (size_t i = 0; i < launch.descriptors.size(); ++i) {
    if (::dup2(launch.descriptors[i], static_cast<int>(i)) < 0) ::_exit(kCannotStart);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);             // Ctrl-C on the terminal is for us; we end the child ourselves
  map_heap_of_next_program();  // it tries a mapping, which a limit of memory below our own size would refuse
  limit_resources(launch.limits);
#if defined(SYS_close_range)
  ::syscall(SYS_close_range, static_cast<unsigned>(launch.descriptors.size()), ~0U, 0U);
#endif
  (void)enter_sandbox();  // an old kernel goes without
  ::execve(launch.argv[0], launch.argv, launch.environment);
  ::_exit(kCannotStart);
}

}  // namespace

// vfork() spares the copy of our page tables, which are large once a model is mapped. posix_spawn() knows neither
// limits nor a sandbox; the child here makes nothing but system calls.
pid_t launch_child(const ChildLaunch& launch) {
  // NOLINTBEGIN(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork,clang-analyzer-unix.Vfork)
  const pid_t pid = ::vfork();
  if (pid == 0) become_child(launch);
  // NOLINTEND(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork,clang-analyzer-unix.Vfork)
  return pid;
}

std::vector<std::string> child_environment() {
  return {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "OMP_THREAD_LIMIT=1", kLargePages};
}

std::vector<char*> null_ended(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

ResourceLimits resource_limits(const ChildLimits& limits) {
  return {.memory_bytes = limits.memory_bytes, .cpu_seconds = static_cast<uint64_t>(limits.time.count() / 1000 + 1)};
}

FileDescriptor descriptor_from(int least, int fd) {
  return FileDescriptor(::fcntl(fd, F_DUPFD_CLOEXEC, least));
}

bool make_pipe(int least, FileDescriptor& read_end, FileDescriptor& write_end) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  const FileDescriptor low_read(ends[0]);
  const FileDescriptor low_write(ends[1]);
  read_end = descriptor_from(least, ends[0]);
  write_end = descriptor_from(least, ends[1]);
  return read_end.is_open() && write_end.is_open();
}

int exit_code_of(int state) {
  if (WIFEXITED(state)) return WEXITSTATUS(state);
  return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : -1;
}

}  // namespace mneme::readers
