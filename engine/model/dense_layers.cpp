#include "engine/model/dense_layers.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/model/tensor_values.h"

namespace mneme::engine {

namespace {

constexpr std::array<std::string_view, 2> kNames = {"dense_2.weight", "dense_3.weight"};
constexpr uint64_t kMaxWidth = 1 << 16;
constexpr size_t kSums = 16;  // side by side, so that the compiler may add vectors

float dot(std::span<const float> a, std::span<const float> b) {
  std::array<float, kSums> sums{};
  size_t i = 0;
  for (; i + kSums <= a.size(); i += kSums) {
    for (size_t j = 0; j < kSums; ++j) sums[j] += a[i + j] * b[i + j];
  }
  double sum = 0.0;
  for (; i < a.size(); ++i) sum += double{a[i]} * b[i];
  for (const float part : sums) sum += part;
  return static_cast<float>(sum);
}

}  // namespace

bool is_dense_tensor(std::string_view name) {
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

Result<DenseLayers> DenseLayers::load(const gguf::GgufFile& file, int dim) {
  DenseLayers dense;
  dense.output_dim_ = dim;
  for (const std::string_view name : kNames) {
    const gguf::TensorInfo* tensor = file.find_tensor(name);
    if (tensor == nullptr) continue;
    const uint64_t n_out = tensor->n_rows();
    if (n_out < 1 || n_out > kMaxWidth)
      return corruption("cannot use the model " + file.name() + ": tensor '" + std::string(name) + "' has " +
                        std::to_string(n_out) + " rows");
    Layer layer{.n_out = static_cast<size_t>(n_out), .n_in = static_cast<size_t>(dense.output_dim_), .weights = {}};
    MNEME_ASSIGN_OR_RETURN(layer.weights,
                           read_tensor_values(file, name, static_cast<int64_t>(n_out), dense.output_dim_));
    dense.output_dim_ = static_cast<int>(n_out);
    dense.layers_.push_back(std::move(layer));
  }
  return dense;
}

std::vector<float> DenseLayers::apply(std::span<const float> pooled) const {
  std::vector<float> x(pooled.begin(), pooled.end());
  for (const Layer& layer : layers_) {
    std::vector<float> y(layer.n_out);
    for (size_t row = 0; row < layer.n_out; ++row)
      y[row] = dot(std::span(layer.weights).subspan(row * layer.n_in, layer.n_in), x);
    x = std::move(y);
  }
  return x;
}

}  // namespace mneme::engine
