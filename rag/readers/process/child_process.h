// Runs another program on data that cannot be trusted, and reads what it says: own limits on memory, CPU time, files
// and wall time, no network, no writing of files (seccomp where the kernel has it), killed with its parent.
// Threads: any number of calls at the same time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/file_descriptor.h"
#include "base/status.h"

namespace mneme::readers {

struct ChildLimits {
  std::chrono::milliseconds time{60'000};
  uint64_t memory_bytes = uint64_t{2} << 30;  // address space
  const CancelToken* cancel = nullptr;
};

struct ChildResult {
  int exit_code = -1;  // 128 + signal when one ended it
  bool timed_out = false;
  std::string errors;  // the first 4 KiB of its standard error
};

// Full path of a program in PATH or the usual folders; "" when it is not installed.
std::string find_program(std::string_view name);

// argv[0] is a full path. `stdin_fd` becomes standard input and stays the caller's. `on_output` gets standard output as
// it comes; a failure it returns ends the child and is given back. Errors: kIo when the child cannot be started,
// kCancelled; a child that fails is a ChildResult.
Result<ChildResult> run_child(const std::vector<std::string>& argv, int stdin_fd, const ChildLimits& limits,
                              const std::function<Status(std::string_view)>& on_output);

// An anonymous file in memory with these bytes, for a child's standard input; not open on failure.
FileDescriptor memory_file(std::string_view bytes);

}  // namespace mneme::readers
