#include "engine/model/rank_head.h"

#include <array>
#include <cmath>
#include <string>

#include "engine/gguf/dequantize.h"

namespace mneme::engine {

namespace {

constexpr std::array<std::string_view, 4> kNames = {"cls.weight", "cls.bias", "cls.output.weight", "cls.output.bias"};

// A tensor of n_rows rows of n_columns as floats; empty when the file has none of that name.
Result<std::vector<float>> read(const gguf::GgufFile& file, std::string_view name, int64_t n_rows, int64_t n_columns) {
  const gguf::TensorInfo* tensor = file.find_tensor(name);
  if (tensor == nullptr) return std::vector<float>();
  if (tensor->dims.empty() || tensor->dims[0] != static_cast<uint64_t>(n_columns) ||
      tensor->n_rows() != static_cast<uint64_t>(n_rows)) {
    return corruption("cannot use the model " + file.name() + ": tensor '" + std::string(name) + "' is not " +
                      std::to_string(n_rows) + " rows of " + std::to_string(n_columns));
  }
  const int64_t row_bytes = gguf::row_bytes(tensor->type, n_columns);
  if (row_bytes <= 0) return unsupported("cannot use the model " + file.name() + ": the type of its head is not read");
  std::vector<float> values(static_cast<size_t>(n_rows * n_columns));
  for (int64_t row = 0; row < n_rows; ++row) {
    gguf::dequantize_row(tensor->type, tensor->bytes.data() + row * row_bytes, n_columns,
                         values.data() + row * n_columns);
  }
  return values;
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0.0;
  for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

}  // namespace

bool is_rank_tensor(std::string_view name) {
  for (const std::string_view known : kNames) {
    if (name == known) return true;
  }
  return false;
}

Result<RankHead> RankHead::load(const gguf::GgufFile& file, int dim) {
  RankHead head;
  const gguf::TensorInfo* output = file.find_tensor(kNames[2]);
  const gguf::TensorInfo* dense = file.find_tensor(kNames[0]);
  const gguf::TensorInfo* last = output != nullptr ? output : dense;
  if (last == nullptr) return unsupported("cannot use the model " + file.name() + ": it has no classification head");
  if (last->n_rows() != 1) {
    return unsupported("cannot use the model " + file.name() + " for ranking: it has " +
                       std::to_string(last->n_rows()) + " classes where one score is needed");
  }
  const int64_t dense_rows = output != nullptr ? dim : 1;
  MNEME_ASSIGN_OR_RETURN(head.dense_, read(file, kNames[0], dense_rows, dim));
  MNEME_ASSIGN_OR_RETURN(head.dense_bias_, read(file, kNames[1], 1, dense_rows));
  MNEME_ASSIGN_OR_RETURN(head.output_, read(file, kNames[2], 1, dim));
  MNEME_ASSIGN_OR_RETURN(head.output_bias_, read(file, kNames[3], 1, 1));
  return head;
}

double RankHead::score(std::span<const float> hidden) const {
  const double bias = output_bias_.empty() ? 0.0 : double{output_bias_[0]};
  if (dense_.empty()) return dot(output_, hidden) + bias;
  const size_t n = dense_.size() / hidden.size();
  std::vector<float> pooled(n);
  for (size_t row = 0; row < n; ++row) {
    const double sum = dot(std::span(dense_).subspan(row * hidden.size(), hidden.size()), hidden);
    pooled[row] = static_cast<float>(sum + (dense_bias_.empty() ? 0.0 : double{dense_bias_[row]}));
  }
  if (output_.empty()) return pooled[0];
  for (float& value : pooled) value = std::tanh(value);
  return dot(output_, pooled) + bias;
}

}  // namespace mneme::engine
