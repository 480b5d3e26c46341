#include "engine/model/tensor_values.h"

#include <string>

#include "engine/gguf/dequantize.h"

namespace mneme::engine {

namespace {

bool has_columns(const gguf::TensorInfo& tensor, int64_t n_columns) {
  return !tensor.dims.empty() && tensor.dims[0] == static_cast<uint64_t>(n_columns);
}

Result<std::vector<float>> rows_of(const gguf::GgufFile& file, const gguf::TensorInfo& tensor, int64_t first,
                                   int64_t n_rows, int64_t n_columns) {
  const int64_t row_bytes = gguf::row_bytes(tensor.type, n_columns);
  if (row_bytes <= 0)
    return unsupported("cannot use the model " + file.name() + ": the type of its tensor '" + tensor.name +
                       "' is not read");
  std::vector<float> values(static_cast<size_t>(n_rows * n_columns));
  for (int64_t row = 0; row < n_rows; ++row) {
    gguf::dequantize_row(tensor.type, tensor.bytes.data() + (first + row) * row_bytes, n_columns,
                         values.data() + row * n_columns);
  }
  return values;
}

}  // namespace

Result<std::vector<float>> read_tensor_values(const gguf::GgufFile& file, std::string_view name, int64_t n_rows,
                                              int64_t n_columns) {
  const gguf::TensorInfo* tensor = file.find_tensor(name);
  if (tensor == nullptr) return std::vector<float>();
  if (!has_columns(*tensor, n_columns) || tensor->n_rows() != static_cast<uint64_t>(n_rows)) {
    return corruption("cannot use the model " + file.name() + ": tensor '" + std::string(name) + "' is not " +
                      std::to_string(n_rows) + " rows of " + std::to_string(n_columns));
  }
  return rows_of(file, *tensor, 0, n_rows, n_columns);
}

Result<std::vector<float>> read_tensor_row(const gguf::GgufFile& file, std::string_view name, int64_t row,
                                           int64_t n_columns) {
  const gguf::TensorInfo* tensor = file.find_tensor(name);
  if (tensor == nullptr || !has_columns(*tensor, n_columns) || row < 0 ||
      static_cast<uint64_t>(row) >= tensor->n_rows()) {
    return corruption("cannot use the model " + file.name() + ": tensor '" + std::string(name) + "' has no row " +
                      std::to_string(row) + " of " + std::to_string(n_columns));
  }
  return rows_of(file, *tensor, row, 1, n_columns);
}

}  // namespace mneme::engine
