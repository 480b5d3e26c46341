#include "engine/backend/cuda/matrix_layout.h"

#include <algorithm>
#include <cstring>

#include "engine/gguf/dequantize.h"
#include "engine/gguf/quant_blocks.h"

namespace mneme::engine::cuda {
namespace {

constexpr int64_t kRowElements = 8;  // rows of unquantised types are a multiple of this long

// A row of blocks, each a scale and then its codes, in groups of kGroupScaleBytes of scales and their blocks' codes.
template <size_t kScaleBytes, size_t kBlockBytes>
void take_apart(std::span<const std::byte> row, std::span<std::byte> out) {
  constexpr size_t kBlocks = kGroupScaleBytes / kScaleBytes;
  constexpr size_t kCodeBytes = kBlockBytes - kScaleBytes;
  constexpr size_t kGroupBytes = kGroupScaleBytes + kBlocks * kCodeBytes;
  for (size_t b = 0; b < row.size() / kBlockBytes; ++b) {
    const std::byte* from = row.data() + b * kBlockBytes;
    std::byte* group = out.data() + b / kBlocks * kGroupBytes;
    std::memcpy(group + b % kBlocks * kScaleBytes, from, kScaleBytes);
    std::memcpy(group + kGroupScaleBytes + b % kBlocks * kCodeBytes, from + kScaleBytes, kCodeBytes);
  }
}

}  // namespace

bool lies_as_in_file(gguf::TensorType type) {
  return type != gguf::TensorType::kQ8_0 && type != gguf::TensorType::kMXFP4;
}

int64_t device_row_bytes(gguf::TensorType type, int64_t n_in) {
  const int64_t row_bytes = gguf::row_bytes(type, n_in);
  if (type == gguf::TensorType::kQ8_0) return (n_in + kQ8Group - 1) / kQ8Group * kGroupScaleBytes + n_in;
  if (type == gguf::TensorType::kMXFP4) return (n_in + kMxfp4Group - 1) / kMxfp4Group * kGroupScaleBytes + n_in / 2;
  if (gguf::tensor_type_info(type)->block_elements != 1) return row_bytes;
  return (n_in + kRowElements - 1) / kRowElements * kRowElements * (row_bytes / n_in);
}

void lay_out_row(gguf::TensorType type, std::span<const std::byte> row, std::span<std::byte> out) {
  // Unused scales and padding are read, but never used: anything but NaN of uninitialised memory.
  std::fill(out.begin(), out.end(), std::byte{0});
  if (type == gguf::TensorType::kQ8_0) return take_apart<sizeof(f16), sizeof(gguf::BlockQ8_0)>(row, out);
  if (type == gguf::TensorType::kMXFP4) return take_apart<sizeof(uint8_t), sizeof(gguf::BlockMXFP4)>(row, out);
  std::copy(row.begin(), row.end(), out.begin());
}

}  // namespace mneme::engine::cuda
