// The classification head of a cross-encoder: from one hidden state of a pair to one score. GGUF tensors as llama.cpp's
// converter names them: cls (dense, tanh; BERT's pooler), cls.output; either may be missing. ModernBERT's takes the
// mean of all hidden states: cls (dense, GELU), cls.norm (layer norm), cls.output, and needs all three. Rankers made of
// language models (Qwen3-Reranker) are asked whether the passage answers: their score is by how much "yes" is likelier
// than "no", from two rows of cls.output or, where the file has no head, of the rows that predict these two tokens.
// Ownership: values. Threads: immutable after load.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/model_config.h"

namespace mneme::engine {

class RankHead {
 public:
  // kCorruption for tensors of other shapes; kUnsupported for a head with several classes or without any tensor.
  static Result<RankHead> load(const gguf::GgufFile& file, const ModelConfig& config);

  // hidden (dim): of the first token, or of the last one where tokens see only those before them, or the mean of all.
  // Higher is a better match; not bounded.
  double score(std::span<const float> hidden) const;

 private:
  static Result<RankHead> load_yes_no(const gguf::GgufFile& file, const ModelConfig& config);
  Status load_norm(const gguf::GgufFile& file, const ModelConfig& config);
  void normalise(std::span<float> values) const;

  std::vector<float> dense_, dense_bias_;    // (dim, dim), (dim); empty: none
  std::vector<float> output_, output_bias_;  // (dim), (1); empty: the dense layer gives the score
  std::vector<float> norm_;                  // (dim); empty: tanh stands between the layers
  double epsilon_ = 0;
};

// Whether a tensor is part of such a head.
bool is_rank_tensor(const ModelConfig& config, std::string_view name);

}  // namespace mneme::engine
