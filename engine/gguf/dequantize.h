// Quantised rows to f32: the plain scalar reference, bit-exact by the format's definition (products left to right in
// f32, no contraction). Also the integer view of a block, from which backends repack. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/gguf/tensor_type.h"

namespace mneme::gguf {

// Bytes of a row of n_elements; n_elements is a whole number of blocks. 0 for an unknown type or a broken row.
int64_t row_bytes(TensorType type, int64_t n_elements);

// Whether no scale of these blocks is beyond f16, which kernels may keep scales as: those of MXFP4 may be.
bool scales_fit_f16(TensorType type, std::span<const std::byte> blocks);

// source: row_bytes(type, n_elements) bytes; target: n_elements floats. Source need not be aligned.
void dequantize_row(TensorType type, const std::byte* source, int64_t n_elements, float* target);

// The 256 (or 32) elements of one block as integers:
//   w[i] = scale(i) * (code[i] - zero) - minimum(i),  scale(i) = d * scales[i / group], minimum(i) = dmin * mins[i /
//   group]
// with the products in this order in f32. Types of one scale have one group and scales[0] == 1.
struct IntegerBlock {
  int n_elements = 0;
  int group = 0;           // elements that share a scale
  int zero = 0;            // subtracted from every code
  uint8_t code[256] = {};  // unsigned
  float d = 0;
  float dmin = 0;  // 0: the type has no minimum
  int16_t scales[16] = {};
  int16_t mins[16] = {};
};
// For the quantised types; source is one block.
void read_block(TensorType type, const std::byte* source, IntegerBlock& block);

}  // namespace mneme::gguf
