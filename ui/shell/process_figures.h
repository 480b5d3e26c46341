// What the system says of this process: what its memory is made of, and what its threads did. From /proc; where there
// is none all is zero or empty. Threads: any.
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

}  // namespace mneme::ui
