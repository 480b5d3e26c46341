// GGUF tensor types: the persistent numbers of the file format, and their block geometry. Format: docs in gguf_file.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mneme::gguf {

// Values are those of the GGUF format; never renumber.
enum class TensorType : uint32_t {
  kF32 = 0,
  kF16 = 1,
  kQ4_0 = 2,
  kQ4_1 = 3,
  kQ5_0 = 6,
  kQ5_1 = 7,
  kQ8_0 = 8,
  kQ2_K = 10,
  kQ3_K = 11,
  kQ4_K = 12,
  kQ5_K = 13,
  kQ6_K = 14,
  kIQ4_NL = 20,
  kIQ4_XS = 23,
  kBF16 = 30,
  kMXFP4 = 39,
};

struct TensorTypeInfo {
  std::string_view name;  // "Q8_0"
  int block_elements;     // elements per block; a row is a whole number of blocks
  int block_bytes;
};

// Nothing for a number this program does not know.
std::optional<TensorTypeInfo> tensor_type_info(TensorType type);
// By name, case-insensitive ("q8_0").
std::optional<TensorType> tensor_type_from_name(std::string_view name);
// Comma-separated names of everything supported, for error messages.
std::string_view supported_tensor_types();

}  // namespace mneme::gguf
