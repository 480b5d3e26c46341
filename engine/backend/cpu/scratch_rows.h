// Rows of f32 that live from one operation to the next, to be overwritten. Threads: as its owner.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/backend/cpu/aligned_buffer.h"

namespace mneme::engine::cpu {

struct ScratchRows {
  AlignedBuffer<float> buffer;
  int64_t width = 0;
  float* row(int64_t i) { return buffer.data() + i * width; }
  void shape(int64_t n_rows, int64_t new_width) {
    width = new_width;
    buffer.reserve(static_cast<size_t>(n_rows * new_width));
  }
};

}  // namespace mneme::engine::cpu
