#include "rag/readers/process/sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <initializer_list>

namespace mneme::readers {
namespace {

// Calls that are denied (EPERM) whatever their arguments: sockets, changes of the file system, other processes, and
// ways around this filter. Opening a file for writing is denied below.
constexpr std::array kDenied = {
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kill,
    SYS_tkill,
    SYS_tgkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_mount,
    SYS_umount2,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_open_by_handle_at,
    SYS_truncate,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_mkdirat,
    SYS_mknodat,
    SYS_symlinkat,
    SYS_linkat,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_msgget,
    SYS_shmget,
    SYS_semget,
#if defined(SYS_openat2)
    SYS_openat2,  // its flags lie in memory, where no filter can read them
#endif
#if defined(SYS_pidfd_open)
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
#endif
#if defined(SYS_pidfd_getfd)
    SYS_pidfd_getfd,
#endif
#if defined(SYS_renameat)
    SYS_renameat,
#endif
#if defined(__x86_64__)
    SYS_unlink,
    SYS_rename,
    SYS_mkdir,
    SYS_rmdir,
    SYS_symlink,
    SYS_link,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_creat,
    SYS_mknod,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
};

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;
#endif
// Calls that came after many headers; they have one number on every architecture: fchmodat2, setxattrat, removexattrat,
// open_tree_attr, file_setattr.
constexpr std::array<uint32_t, 5> kNewerThanHeaders = {452, 463, 466, 467, 469};
// Calls of the x32 interface have this bit and would pass a list of plain numbers.
constexpr uint32_t kX32Bit = 0x40000000;

struct Filter {
  std::array<sock_filter, 2 * kDenied.size() + 40> code{};
  uint16_t size = 0;
};

constexpr sock_filter statement(uint16_t code, uint32_t value) {
  return {code, 0, 0, value};
}
constexpr sock_filter jump(uint16_t code, uint32_t value, uint8_t when_true, uint8_t when_false) {
  return {code, when_true, when_false, value};
}

constexpr Filter make_filter() {
  constexpr uint32_t kDeny = SECCOMP_RET_ERRNO | EPERM;
  constexpr uint32_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  Filter filter;
  const auto add = [&](sock_filter line) { filter.code[filter.size++] = line; };
  const auto load = [&](size_t offset) { add(statement(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset))); };
  const auto deny_call = [&](uint32_t number) {
    add(jump(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    add(statement(BPF_RET | BPF_K, kDeny));
  };
  load(offsetof(seccomp_data, arch));
  add(jump(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
  add(statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  add(jump(BPF_JMP | BPF_JGE | BPF_K, kX32Bit, 0, 1));
  add(statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
#endif
  for (const long number : kDenied) deny_call(static_cast<uint32_t>(number));
  for (const uint32_t number : kNewerThanHeaders) deny_call(number);
  // Denies the call when its argument has one of the bits; the accumulator holds the call's number before and, where it
  // is another call, after.
  const auto deny_bits = [&](uint32_t number, int argument, uint32_t bits) {
    add(jump(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4));
    load(offsetof(seccomp_data, args) + static_cast<size_t>(argument) * sizeof(uint64_t));
    add(jump(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
    add(statement(BPF_RET | BPF_K, kDeny));
    add(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  };
  deny_bits(SYS_openat, 2, kWriting);
#if defined(__x86_64__)
  deny_bits(SYS_open, 1, kWriting);
#endif
  deny_bits(SYS_prlimit64, 0, ~0U);  // limits of another process: 0 is one's own
  // Typing into the terminal for the user.
  add(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 3));
  load(offsetof(seccomp_data, args) + sizeof(uint64_t));
  add(jump(BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 0, 1));
  add(statement(BPF_RET | BPF_K, kDeny));
  add(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return filter;
}

// What start_nothing_and_stay() denies.
constexpr Filter make_filter_of_starting() {
  constexpr uint32_t kDeny = SECCOMP_RET_ERRNO | EPERM;
  Filter filter;
  const auto add = [&](sock_filter line) { filter.code[filter.size++] = line; };
  const auto deny_call = [&](uint32_t number, uint32_t how) {
    add(jump(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    add(statement(BPF_RET | BPF_K, how));
  };
  add(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  deny_call(SYS_execve, kDeny);
  deny_call(SYS_execveat, kDeny);
#if defined(__x86_64__)
  deny_call(SYS_fork, kDeny);
  deny_call(SYS_vfork, kDeny);
#endif
#if defined(SYS_clone3)
  deny_call(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);  // its flags lie in memory; the C library then takes clone()
#endif
  add(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 4));
  add(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)));
  add(jump(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_PDEATHSIG, 0, 1));
  add(statement(BPF_RET | BPF_K, kDeny));
  add(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  add(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
  add(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)));
  add(jump(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  add(statement(BPF_RET | BPF_K, kDeny));
  add(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return filter;
}

constexpr Filter kFilter = make_filter();
constexpr Filter kFilterOfStarting = make_filter_of_starting();

bool install(const Filter& filter) {
  if (kArchitecture == 0 || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  const sock_fprog program{filter.size, const_cast<sock_filter*>(filter.code.data())};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void limit(int resource, rlim_t value) {
  const rlimit both{value, value};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

}  // namespace

int obstacle_to_sandbox() {
  const pid_t child = ::fork();
  if (child == 0) {
    errno = ENOSYS;
    ::_exit(enter_sandbox() ? 0 : errno);  // numbers of errors are below 256
  }
  int state = 0;
  while (child > 0 && ::waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  return child > 0 && WIFEXITED(state) ? WEXITSTATUS(state) : 0;
}

bool enter_sandbox() {
  return install(kFilter);
}

bool start_nothing_and_stay() {
  return install(kFilterOfStarting);
}

void limit_resources(const ResourceLimits& limits) {
  if (limits.memory_bytes > 0) limit(RLIMIT_AS, limits.memory_bytes);
  if (limits.cpu_seconds > 0) limit(RLIMIT_CPU, limits.cpu_seconds);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, limits.descriptors);
}

void map_heap_of_next_program() {
  rlimit before{};
  if (::getrlimit(RLIMIT_DATA, &before) != 0) return;
  // Linux allows no data segment then, but mappings up to the hard limit (made so for valgrind).
  const rlimit no_segment{0, before.rlim_max};
  if (::setrlimit(RLIMIT_DATA, &no_segment) != 0) return;
  constexpr size_t kAny = 4096;
  void* const tried = ::mmap(nullptr, kAny, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (tried == MAP_FAILED) {
    ::setrlimit(RLIMIT_DATA, &before);  // a kernel that allows neither
  } else {
    ::munmap(tried, kAny);
  }
}

}  // namespace mneme::readers
