// Texts to vectors with an embedding model: tokenise, run all layers, pool, normalise. Encoders proper (bert), and
// language models that were trained on to embed (Qwen3-Embedding), which their file says by a kind of pooling. Models
// with a classification head (cross-encoders) give a score to a pair of texts instead.
// Ownership: owns the opened model. Threads: embed() may be called from several threads, calls are serialised inside.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/hash.h"
#include "base/status.h"
#include "engine/language_model.h"
#include "engine/model/model_config.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/types.h"

namespace mneme::engine {

class Encoder {
 public:
  virtual ~Encoder() = default;

  // Opens a GGUF file that embeds or ranks. Errors as LanguageModel::open; kUnsupported for a language model.
  static Result<std::unique_ptr<Encoder>> open(const std::string& path, const ModelOptions& options);

  virtual int dim() const = 0;         // elements of a vector
  virtual int max_tokens() const = 0;  // longer texts are cut
  virtual const ModelConfig& config() const = 0;
  virtual const Tokenizer& tokenizer() const = 0;
  virtual const std::string& path() const = 0;
  virtual Hash128 identity() const = 0;  // as LanguageModel::identity

  // One vector of length 1 per text: (texts.size(), dim()). Many texts at once are faster than one by one. An empty
  // text gives the vector of its markers alone. Prefixes that a model asks for ("search_query: ") are the caller's.
  virtual Result<std::vector<float>> embed(std::span<const std::string_view> texts,
                                           const CancelToken& cancel = never_cancelled()) = 0;
  // The same from token ids, markers included.
  virtual Result<std::vector<float>> embed_ids(std::span<const std::vector<TokenId>> texts,
                                               const CancelToken& cancel = never_cancelled()) = 0;

  // Whether the model ranks pairs; embed() is meaningless then, and rank() without.
  virtual bool is_ranker() const = 0;
  // How well each passage answers the question: a score each, higher is better (Nogueira and Cho 2019). The two are
  // read together, "[CLS] question [SEP] passage [SEP]" or as the model's template says, and the passage is cut to what
  // fits. kUnsupported for an embedder.
  virtual Result<std::vector<double>> rank(std::string_view question, std::span<const std::string_view> passages,
                                           const CancelToken& cancel = never_cancelled()) = 0;
  // The same from token ids, markers included; second[i]: where the passage begins in pair i.
  virtual Result<std::vector<double>> rank_ids(std::span<const std::vector<TokenId>> pairs, std::span<const int> second,
                                               const CancelToken& cancel = never_cancelled()) = 0;
};

}  // namespace mneme::engine
