// What the system says of this process: what its memory is made of, what its threads did, and what else the machine did
// meanwhile. From /proc; where there is none all is zero or empty. Threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::ui {

// Resident memory by what it belongs to, bytes. Pages that several processes share count in full in each.
struct MemoryParts {
  uint64_t own = 0;        // allocated: heap, stacks, private pages of the program's own data
  uint64_t driver = 0;     // code and data of the graphics driver (llvmpipe brings LLVM along)
  uint64_t libraries = 0;  // of all other shared libraries
  uint64_t program = 0;
  uint64_t fonts = 0;   // mapped font files
  uint64_t models = 0;  // mapped GGUF files
  uint64_t shared = 0;  // with the X server: pictures on their way to it
  uint64_t other = 0;
  uint64_t total() const { return own + driver + libraries + program + fonts + models + shared + other; }
};
MemoryParts memory_parts();

// The same from the text of a smaps file, and the name of the program among the mapped files.
MemoryParts parse_smaps(std::string_view smaps, std::string_view program);

// Processor time of threads, those of one name together ("llvmpipe" for "llvmpipe-0", "llvmpipe-1").
struct ThreadTime {
  std::string name;
  double seconds = 0.0;
};
std::vector<ThreadTime> thread_times();
// What was added since `before`, most first.
std::vector<ThreadTime> since(const std::vector<ThreadTime>& before, const std::vector<ThreadTime>& now);

// Of the calling thread since it began: how long it computed, and how long it could have but had no processor. What is
// left of the time it waited for others.
struct ThreadWaits {
  double ran_ms = 0.0;
  double ready_ms = 0.0;
};
ThreadWaits thread_waits();

// Of all processors since the system started: time in which they had nothing to do, and time that a hypervisor gave to
// other machines.
struct MachineTimes {
  double all = 0.0;  // any unit: only shares of it mean something
  double idle = 0.0;
  double stolen = 0.0;
};
MachineTimes machine_times();
// The same from the text of /proc/stat.
MachineTimes parse_stat(std::string_view stat);

}  // namespace mneme::ui
