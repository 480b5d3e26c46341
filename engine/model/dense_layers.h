// The linear layers that some embedders put behind pooling (sentence-transformers' Dense modules, as EmbeddingGemma
// has them), without biases or activations between. GGUF tensors: dense_2, dense_3; a file may have none of them.
// Ownership: values. Threads: immutable after load.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/gguf/gguf_file.h"

namespace mneme::engine {

class DenseLayers {
 public:
  // dim: of the hidden states. kCorruption for tensors whose widths do not follow each other.
  static Result<DenseLayers> load(const gguf::GgufFile& file, int dim);

  bool empty() const { return layers_.empty(); }
  // Elements of what apply() gives; `dim` of the hidden states where there are no layers.
  int output_dim() const { return output_dim_; }
  // pooled (dim).
  std::vector<float> apply(std::span<const float> pooled) const;

 private:
  struct Layer {
    size_t n_out = 0;
    size_t n_in = 0;
    std::vector<float> weights;  // (n_out, n_in)
  };
  std::vector<Layer> layers_;
  int output_dim_ = 0;
};

// Whether a tensor is one of those layers.
bool is_dense_tensor(std::string_view name);

}  // namespace mneme::engine
