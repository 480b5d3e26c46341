#include "engine/backend/cuda/matrix_layout.h"

#include <algorithm>
#include <cstring>

#include "engine/gguf/dequantize.h"
#include "engine/gguf/quant_blocks.h"

namespace mneme::engine::cuda {
namespace {

constexpr int64_t kRowElements = 8;  // rows of unquantised types are a multiple of this long

void take_apart_q8(std::span<const std::byte> row, std::span<std::byte> out) {
  constexpr size_t kBlocks = kQ8Group / gguf::kSmallBlock;
  const size_t n_blocks = row.size() / sizeof(gguf::BlockQ8_0);
  for (size_t b = 0; b < n_blocks; ++b) {
    const std::byte* from = row.data() + b * sizeof(gguf::BlockQ8_0);
    std::byte* group = out.data() + b / kBlocks * kQ8GroupBytes;
    std::memcpy(group + b % kBlocks * sizeof(f16), from, sizeof(f16));
    std::memcpy(group + kQ8ScaleBytes + b % kBlocks * gguf::kSmallBlock, from + sizeof(f16), gguf::kSmallBlock);
  }
}

}  // namespace

int64_t device_row_bytes(gguf::TensorType type, int64_t n_in) {
  const int64_t row_bytes = gguf::row_bytes(type, n_in);
  if (type == gguf::TensorType::kQ8_0) return (n_in + kQ8Group - 1) / kQ8Group * kQ8ScaleBytes + n_in;
  if (gguf::tensor_type_info(type)->block_elements != 1) return row_bytes;
  return (n_in + kRowElements - 1) / kRowElements * kRowElements * (row_bytes / n_in);
}

void lay_out_row(gguf::TensorType type, std::span<const std::byte> row, std::span<std::byte> out) {
  // Unused scales and padding are read, but never used: anything but NaN of uninitialised memory.
  std::fill(out.begin(), out.end(), std::byte{0});
  if (type == gguf::TensorType::kQ8_0) return take_apart_q8(row, out);
  std::copy(row.begin(), row.end(), out.begin());
}

}  // namespace mneme::engine::cuda
