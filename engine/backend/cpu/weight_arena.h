// Memory for repacked weights: cut one after the other from large runs of huge pages, so that many small matrices waste
// nothing. Given back all at once with the last user. Threads: one caller at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"

namespace mneme::engine::cpu {

class WeightArena {
 public:
  WeightArena() = default;
  ~WeightArena();
  WeightArena(const WeightArena&) = delete;
  WeightArena& operator=(const WeightArena&) = delete;

  // n_bytes of zeros, 64-byte aligned, valid as long as the arena. kResource when there is no memory.
  Result<uint8_t*> allocate(size_t n_bytes);

 private:
  struct Run {
    void* mapped;
    size_t mapped_bytes;
    uint8_t* data;  // from its first huge page on
    size_t size;
  };
  std::vector<Run> runs_;
  size_t used_ = 0;  // of the last run
};

}  // namespace mneme::engine::cpu
