#include "engine/transformer/transposed.h"

#include "engine/gguf/dequantize.h"
#include "engine/gguf/quantize.h"

namespace mneme::engine {

TensorView transposed(const TensorView& matrix, std::vector<std::byte>& bytes) {
  using gguf::TensorType;
  const bool is_plain =
      matrix.type == TensorType::kF32 || matrix.type == TensorType::kF16 || matrix.type == TensorType::kBF16;
  const auto n_out = static_cast<size_t>(matrix.n_out);
  const auto n_in = static_cast<size_t>(matrix.n_in);
  const auto row_bytes = static_cast<size_t>(gguf::row_bytes(matrix.type, matrix.n_in));
  std::vector<float> row(n_in);
  std::vector<float> turned(n_in * n_out);
  for (size_t i = 0; i < n_out; ++i) {
    gguf::dequantize_row(matrix.type, matrix.bytes.data() + i * row_bytes, matrix.n_in, row.data());
    for (size_t j = 0; j < n_in; ++j) turned[j * n_out + i] = row[j];
  }
  TensorView view = matrix;
  view.type = is_plain ? matrix.type : TensorType::kF16;
  view.n_out = matrix.n_in;
  view.n_in = matrix.n_out;
  view.file_mapped = false;
  bytes = gguf::quantize(view.type, turned.data(), view.n_out, view.n_in);
  view.bytes = bytes;
  return view;
}

}  // namespace mneme::engine
