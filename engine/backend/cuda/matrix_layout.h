// How a matrix of a GGUF file lies on the device. Most types lie as in the file; rows of F32, F16 and BF16 are padded
// with zeros to 16 bytes, and the 34-byte blocks of Q8_0 are taken apart, since a warp cannot read them in vectors:
// groups of 256 elements, each the eight f16 scales (16 bytes) and then the codes. The last group of a row may be
// shorter. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/gguf/tensor_type.h"

namespace mneme::engine::cuda {

inline constexpr int kQ8Group = 256;                            // elements
inline constexpr int kQ8ScaleBytes = 16;                        // of a group
inline constexpr int kQ8GroupBytes = kQ8ScaleBytes + kQ8Group;  // of a whole one

// From one row of n_in elements to the next.
int64_t device_row_bytes(gguf::TensorType type, int64_t n_in);
// A row of the file to its place, device_row_bytes long.
void lay_out_row(gguf::TensorType type, std::span<const std::byte> row, std::span<std::byte> out);

}  // namespace mneme::engine::cuda
