// The classification head of a cross-encoder: from the hidden state of a pair's first token to one score. GGUF tensors
// as llama.cpp's converter names them: cls (dense, tanh; BERT's pooler), cls.output; either may be missing, not both.
// Ownership: values. Threads: immutable after load.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/gguf/gguf_file.h"

namespace mneme::engine {

class RankHead {
 public:
  // dim: of the hidden states. kCorruption for tensors of other shapes; kUnsupported for a head with several classes or
  // without any tensor.
  static Result<RankHead> load(const gguf::GgufFile& file, int dim);

  // hidden (dim). Higher is a better match; not bounded.
  double score(std::span<const float> hidden) const;

 private:
  std::vector<float> dense_, dense_bias_;    // (dim, dim), (dim); empty: none
  std::vector<float> output_, output_bias_;  // (dim), (1); empty: the dense layer gives the score
};

// Whether a tensor is part of such a head.
bool is_rank_tensor(std::string_view name);

}  // namespace mneme::engine
