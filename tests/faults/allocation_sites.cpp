#include "tests/faults/allocation_sites.h"

#include <execinfo.h>
#include <link.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mneme::faults {
namespace {

struct Code {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool holds(uintptr_t address) const { return address >= begin && address < end; }
};

Code own;  // of this program

Code executable_part(const dl_phdr_info& info) {
  Code code;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    code.begin = info.dlpi_addr + segment.p_vaddr;
    code.end = code.begin + segment.p_memsz;
  }
  return code;
}

// The program itself comes first, and alone has no name.
int look_at_object(dl_phdr_info* info, size_t, void*) {
  const bool unnamed = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
  if (unnamed && own.begin == 0) own = executable_part(*info);
  return 0;
}

// The names of sites seen so far; a place that finds no room in the table is not new.
constexpr size_t kSlots = size_t{1} << 16;
std::array<std::atomic<uint64_t>, kSlots> seen{};

bool enter(uint64_t name) {
  for (size_t i = 0; i < kSlots; ++i) {
    std::atomic<uint64_t>& slot = seen[(name + i) % kSlots];
    uint64_t there = 0;
    if (slot.compare_exchange_strong(there, name)) return true;
    if (there == name) return false;
  }
  return false;
}

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

}  // namespace

void find_code() {
  dl_iterate_phdr(look_at_object, nullptr);
  void* frame = nullptr;
  static_cast<void>(backtrace(&frame, 1));  // the first call loads what the others need
}

bool is_new_site(const void* asked) {
  constexpr int kOwnCallers = 2;
  void* frames[32];
  const int n_frames = backtrace(frames, 32);
  int first = 0;  // frames before it are those of this harness
  while (first < n_frames && frames[first] != asked) ++first;
  uint64_t name = mix(1, reinterpret_cast<uintptr_t>(asked));
  int n_own = 0;
  for (int i = first; i < n_frames && n_own < kOwnCallers; ++i) {
    const auto address = reinterpret_cast<uintptr_t>(frames[i]);
    if (!own.holds(address)) continue;
    name = mix(name, address);
    ++n_own;
  }
  return enter(name == 0 ? 1 : name);
}

void forget_sites() {
  for (std::atomic<uint64_t>& slot : seen) slot.store(0, std::memory_order_relaxed);
}

}  // namespace mneme::faults
