// Starts a program that may do little (sandbox.h): what run_child() and forking programs have in common.
// Internal to rag/readers. Threads: all functions from any thread.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "rag/readers/process/child_process.h"
#include "rag/readers/process/fork_wire.h"
#include "rag/readers/process/sandbox.h"

namespace mneme::readers {

struct ChildLaunch {
  char* const* argv = nullptr;  // argv[0] is a full path
  char* const* environment = nullptr;
  std::span<const int> descriptors;  // become the child's 0, 1, 2, ...; none is lower than their number
  ResourceLimits limits;
};

// The child's process, or negative; exits with kCannotStart when the program cannot be run.
pid_t launch_child(const ChildLaunch& launch);

// What programs find in their environment.
std::vector<std::string> child_environment();
// As execve() takes them; the strings stay where they are.
std::vector<char*> null_ended(const std::vector<std::string>& strings);

ResourceLimits resource_limits(const ChildLimits& limits);

// A copy of a descriptor that is `least` or above.
FileDescriptor descriptor_from(int least, int fd);
// Both ends are `least` or above, and closed in programs that are started.
bool make_pipe(int least, FileDescriptor& read_end, FileDescriptor& write_end);

// What a shell would call the exit code of this waitpid() state: 128 + signal where one ended the process.
int exit_code_of(int state);

}  // namespace mneme::readers
