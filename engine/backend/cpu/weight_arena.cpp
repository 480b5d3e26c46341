#include "engine/backend/cpu/weight_arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <string>

namespace mneme::engine::cpu {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kRunBytes = size_t{64} << 20;  // address space; memory is used as it is written
constexpr size_t kAlignment = 64;

}  // namespace

WeightArena::~WeightArena() {
  for (const Run& run : runs_) munmap(run.mapped, run.mapped_bytes);
}

Result<uint8_t*> WeightArena::allocate(size_t n_bytes) {
  n_bytes = (n_bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (runs_.empty() || n_bytes > runs_.back().size - used_) {
    const size_t size = std::max(kRunBytes, (n_bytes + kHugePage - 1) / kHugePage * kHugePage);
    runs_.reserve(runs_.size() + 1);               // so that nothing can fail once it is mapped
    const size_t mapped_bytes = size + kHugePage;  // some of it is lost to where huge pages begin
    void* mapped =
        mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
      return resource_error("no memory for " + std::to_string(n_bytes >> 20) +
                            " MiB of weights; close other programs or use a smaller model");
    }
    const size_t skipped = (kHugePage - reinterpret_cast<uintptr_t>(mapped) % kHugePage) % kHugePage;
    uint8_t* const data = static_cast<uint8_t*>(mapped) + skipped;
    (void)madvise(data, size, MADV_HUGEPAGE);  // advice: fewer faults while repacking, fewer misses while reading
    runs_.push_back({mapped, mapped_bytes, data, size});
    used_ = 0;
  }
  uint8_t* data = runs_.back().data + used_;
  used_ += n_bytes;
  return data;
}

}  // namespace mneme::engine::cpu
