// f32 rows to GGUF's types: for tests, random models and tools; plain rounding, no search for better scales, so quality
// is below that of dedicated quantisers for the 2- and 3-bit types. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/gguf/tensor_type.h"

namespace mneme::gguf {

// source: n_elements floats (a whole number of blocks), finite; target: row_bytes(type, n_elements) bytes.
void quantize_row(TensorType type, const float* source, int64_t n_elements, std::byte* target);

// n_rows rows at once, row after row.
std::vector<std::byte> quantize(TensorType type, const float* source, int64_t n_rows, int64_t row_elements);

}  // namespace mneme::gguf
