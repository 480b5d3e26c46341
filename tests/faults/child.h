// Runs something in a process of its own that a fault may kill, and what became of it. Threads: the caller must be the
// only thread of its process.
#pragma once

#include <functional>
#include <string>

#include "base/status.h"
#include "tests/faults/interpose.h"

namespace mneme::faults {

struct Ending {
  int signal = 0;        // what killed it; 0: it ended by itself
  bool reached = false;  // the fault was met (unknown when killed: then true)
  bool ok = false;
  bool in_library = false;  // it was another library that could not go on without memory
  std::string message;      // of the failure
  int64_t calls = 0;        // that the fault could have met
};

// Does `work` in a child with the fault armed at call n. An exception it does not catch is a failure with its words, as
// the program's own main function makes it; one that leaves a thread kills the child.
Ending run_in_child(Fault fault, int64_t n, const std::string& watched, const std::function<Status()>& work);

// A new folder for homes and documents: in memory where the system has such a place, since these tests sync thousands
// of times and what a disk does is what they make up.
std::string scratch_folder(const std::string& name);

// A number from the environment: how much of a test is done. CI runs the standard, scripts/soak more.
int64_t amount(const char* variable, int64_t standard);

}  // namespace mneme::faults
