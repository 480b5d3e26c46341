// How a matrix of a GGUF file lies on the device. Most types lie as in the file; rows of F32, F16 and BF16 are padded
// with zeros to 16 bytes, and the blocks of Q8_0 (34 bytes) and MXFP4 (17 bytes) are taken apart, since a warp cannot
// read them in vectors: groups of blocks, each the sixteen bytes of their scales (f16, or exponents) and then their
// codes. The last group of a row may be shorter. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/gguf/tensor_type.h"

namespace mneme::engine::cuda {

inline constexpr int kGroupScaleBytes = 16;
inline constexpr int kQ8Group = 256;                                         // elements
inline constexpr int kQ8GroupBytes = kGroupScaleBytes + kQ8Group;            // of a whole one
inline constexpr int kMxfp4Group = 512;                                      // elements
inline constexpr int kMxfp4GroupBytes = kGroupScaleBytes + kMxfp4Group / 2;  // of a whole one

// Whether rows of the type are those of the file but for padding.
bool lies_as_in_file(gguf::TensorType type);

// From one row of n_in elements to the next.
int64_t device_row_bytes(gguf::TensorType type, int64_t n_in);
// A row of the file to its place, device_row_bytes long.
void lay_out_row(gguf::TensorType type, std::span<const std::byte> row, std::span<std::byte> out);

}  // namespace mneme::engine::cuda
