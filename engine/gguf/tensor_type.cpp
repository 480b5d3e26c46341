#include "engine/gguf/tensor_type.h"

#include <array>
#include <cctype>
#include <string>

namespace mneme::gguf {
namespace {

struct Entry {
  TensorType type;
  TensorTypeInfo info;
};

constexpr std::array<Entry, 16> kTypes = {{
    {TensorType::kF32, {"F32", 1, 4}},
    {TensorType::kF16, {"F16", 1, 2}},
    {TensorType::kBF16, {"BF16", 1, 2}},
    {TensorType::kQ4_0, {"Q4_0", 32, 18}},
    {TensorType::kQ4_1, {"Q4_1", 32, 20}},
    {TensorType::kQ5_0, {"Q5_0", 32, 22}},
    {TensorType::kQ5_1, {"Q5_1", 32, 24}},
    {TensorType::kQ8_0, {"Q8_0", 32, 34}},
    {TensorType::kQ2_K, {"Q2_K", 256, 84}},
    {TensorType::kQ3_K, {"Q3_K", 256, 110}},
    {TensorType::kQ4_K, {"Q4_K", 256, 144}},
    {TensorType::kQ5_K, {"Q5_K", 256, 176}},
    {TensorType::kQ6_K, {"Q6_K", 256, 210}},
    {TensorType::kIQ4_NL, {"IQ4_NL", 32, 18}},
    {TensorType::kIQ4_XS, {"IQ4_XS", 256, 136}},
    {TensorType::kMXFP4, {"MXFP4", 32, 17}},
}};

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i]))) return false;
  return true;
}

}  // namespace

std::optional<TensorTypeInfo> tensor_type_info(TensorType type) {
  for (const Entry& entry : kTypes)
    if (entry.type == type) return entry.info;
  return std::nullopt;
}

std::optional<TensorType> tensor_type_from_name(std::string_view name) {
  for (const Entry& entry : kTypes)
    if (equal_ignoring_case(entry.info.name, name)) return entry.type;
  return std::nullopt;
}

std::string_view supported_tensor_types() {
  static const std::string names = [] {
    std::string list;
    for (const Entry& entry : kTypes) {
      if (!list.empty()) list += ", ";
      list += entry.info.name;
    }
    return list;
  }();
  return names;
}

}  // namespace mneme::gguf
