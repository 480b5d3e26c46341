// What code that reads hostile documents may do: read files, compute, write to what it was given, start a program that
// may do no more. It can neither write, rename or remove a file, nor connect, nor touch another process (seccomp; where
// the kernel offers none, readers go without, and who indexes is told). Not undone by anything, inherited by what is
// started. Threads: enter_sandbox() concerns the calling thread and the threads and processes it makes.
#pragma once

#include <cstdint>

namespace mneme::readers {

// Why enter_sandbox() would fail, as errno has it (EINVAL, ENOSYS: the kernel has no seccomp); 0: it would not. A child
// process tries it, nothing here changes.
int obstacle_to_sandbox();

// False when the kernel has no seccomp, or something denies it. Makes system calls only, so that it may stand between
// vfork() and exec.
bool enter_sandbox();

// From here on no process and no other program may be started, threads aside, and what ends this process with its
// parent (PR_SET_PDEATHSIG) stays: nothing is left when both are gone. Otherwise as enter_sandbox(), which comes first.
bool start_nothing_and_stay();

struct ResourceLimits {
  uint64_t memory_bytes = 0;  // address space; 0: unlimited
  uint64_t cpu_seconds = 0;   // 0: unlimited
  uint64_t file_bytes = 0;    // largest file that may be written (anonymous ones count); 0: none at all
  uint64_t descriptors = 64;
};
// The same conditions: system calls only.
void limit_resources(const ResourceLimits& limits);

// Lets the C library of the program that is started next get its heap by mmap() alone, never by growing the data
// segment: that begins anywhere, mapped memory begins at a large page and is touched for the first time at once. Other
// limits stay as they are. System calls only.
void map_heap_of_next_program();

}  // namespace mneme::readers
