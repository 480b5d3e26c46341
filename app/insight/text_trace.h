// What a model computes over a text: keys and values of every layer, once with the whole text in sight and once with
// each passage read alone and put at its place (what reuse of KV caches would see), and the queries of the last tokens.
// The statistics of `mneme bench insight` are made of it. Ownership: borrows the model and holds two sequences on it.
// Threads: one at a time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/f16.h"
#include "base/status.h"
#include "engine/language_model.h"

namespace mneme::app {

// The text: n_passages passages of passage_tokens each, then n_queries tokens, the question.
struct TextShape {
  int n_passages = 0;
  int passage_tokens = 0;
  int n_queries = 0;
  int n_context() const { return n_passages * passage_tokens; }
  int n_tokens() const { return n_context() + n_queries; }
};

// One layer of all tokens, BOS first where the model has one: (n_tokens, n_kv_heads, head_dim), row-major.
struct LayerTrace {
  std::vector<f16> keys;     // before RoPE
  std::vector<f16> rotated;  // as attention sees them
  std::vector<f16> values;
};

class TextTrace {
 public:
  // ids: shape.n_tokens() of them, without BOS. kUsage where they do not fit into the model's context.
  static Result<TextTrace> make(engine::LanguageModel& model, std::span<const engine::TokenId> ids,
                                const TextShape& shape, const CancelToken& cancel);

  const TextShape& shape() const { return shape_; }
  const engine::ModelConfig& config() const { return model_->config(); }
  int n_prefix() const { return n_prefix_; }  // BOS: 1 or 0
  int n_tokens() const { return n_prefix_ + shape_.n_tokens(); }
  int first_query() const { return n_prefix_ + shape_.n_context(); }

  Result<LayerTrace> full(int layer) const { return read(*full_, layer, n_tokens()); }
  // BOS and the passages only: the question is never cached.
  Result<LayerTrace> reused(int layer) const { return read(*reused_, layer, first_query()); }
  // (n_queries, n_heads * head_dim), after RoPE, with the whole text in sight.
  std::span<const float> queries(int layer) const { return queries_[static_cast<size_t>(layer)]; }

 private:
  explicit TextTrace(engine::LanguageModel& model, const TextShape& shape) : model_(&model), shape_(shape) {}
  Status compute_full(std::span<const engine::TokenId> ids, const CancelToken& cancel);
  Status compute_queries(std::span<const engine::TokenId> question);
  Status place_passages(std::span<const engine::TokenId> ids, const CancelToken& cancel);
  Result<LayerTrace> read(engine::Sequence& sequence, int layer, int n_tokens) const;

  engine::LanguageModel* model_;
  TextShape shape_;
  int n_prefix_ = 0;
  std::unique_ptr<engine::Sequence> full_, reused_;
  std::vector<std::vector<float>> queries_;
};

}  // namespace mneme::app
