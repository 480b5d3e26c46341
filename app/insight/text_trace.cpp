#include "app/insight/text_trace.h"

#include <numeric>
#include <string>

#include "app/eval/layer_rope.h"
#include "engine/engine_queue.h"
#include "engine/kv/chunk_kv.h"
#include "engine/transformer/forward_pass.h"

namespace mneme::app {
namespace {

using engine::TokenId;

// BOS where the model has one: what the passages are computed behind.
std::vector<TokenId> prefix_of(const engine::LanguageModel& model) {
  const TokenId bos = model.tokenizer().bos();
  return bos == engine::kNoToken ? std::vector<TokenId>{} : std::vector<TokenId>{bos};
}

}  // namespace

Result<TextTrace> TextTrace::make(engine::LanguageModel& model, std::span<const TokenId> ids, const TextShape& shape,
                                  const CancelToken& cancel) {
  if (!model.config().has_equal_kv())
    return unsupported(
        "what is looked into here are keys and values that all layers have alike; those of this model "
        "differ from layer to layer");
  TextTrace trace(model, shape);
  trace.n_prefix_ = static_cast<int>(prefix_of(model).size());
  if (trace.n_tokens() > model.config().context_length) {
    return usage_error("the model's context of " + std::to_string(model.config().context_length) +
                       " tokens does not hold " + std::to_string(trace.n_tokens()) +
                       "; give fewer --chunks or --chunk-tokens.");
  }
  if (static_cast<int>(ids.size()) < shape.n_tokens()) {
    return usage_error("the text has " + std::to_string(ids.size()) + " tokens, " + std::to_string(shape.n_tokens()) +
                       " are needed; give a longer one with --path, or fewer --chunks or --chunk-tokens.");
  }
  const std::span<const TokenId> text = ids.first(static_cast<size_t>(shape.n_tokens()));
  MNEME_RETURN_IF_ERROR(trace.compute_full(text, cancel));
  MNEME_RETURN_IF_ERROR(trace.place_passages(text, cancel));
  return trace;
}

Status TextTrace::compute_full(std::span<const TokenId> ids, const CancelToken& cancel) {
  std::vector<TokenId> context = prefix_of(*model_);
  const auto passages = ids.first(static_cast<size_t>(shape_.n_context()));
  context.insert(context.end(), passages.begin(), passages.end());
  MNEME_ASSIGN_OR_RETURN(full_, model_->new_sequence(n_tokens(), /*keep_unrotated_keys=*/true));
  MNEME_RETURN_IF_ERROR(full_->append(context, cancel));
  return compute_queries(ids.subspan(passages.size()));
}

// The question goes layer by layer, since its queries are wanted as well.
Status TextTrace::compute_queries(std::span<const TokenId> question) {
  const int n = shape_.n_queries;
  const engine::EngineQueue::Turn turn = model_->queue().enter(engine::Priority::kBackground);
  MNEME_RETURN_IF_ERROR(full_->kv().reserve(n_tokens()));
  MNEME_ASSIGN_OR_RETURN(engine::ForwardPass* const pass, model_->forward_pass(n));
  std::vector<engine::TokenPos> positions(static_cast<size_t>(n));
  std::iota(positions.begin(), positions.end(), first_query());
  const engine::RowGroup group{&full_->kv(), 0, n};
  MNEME_RETURN_IF_ERROR(pass->begin(engine::RowSet{positions, {&group, 1}}, question));
  for (int layer = 0; layer < config().n_layers; ++layer) {
    pass->project(layer);
    std::vector<float>& own = queries_.emplace_back();
    own.resize(static_cast<size_t>(n) * static_cast<size_t>(config().n_heads) * static_cast<size_t>(config().head_dim));
    MNEME_RETURN_IF_ERROR(model_->backend().read(pass->queries(), n, own));
    pass->finish(layer);
  }
  return model_->backend().synchronize();
}

Status TextTrace::place_passages(std::span<const TokenId> ids, const CancelToken& cancel) {
  const std::vector<TokenId> prefix = prefix_of(*model_);
  MNEME_ASSIGN_OR_RETURN(reused_, model_->new_sequence(n_tokens(), /*keep_unrotated_keys=*/true));
  if (!prefix.empty()) MNEME_RETURN_IF_ERROR(reused_->append(prefix, cancel));
  MNEME_RETURN_IF_ERROR(reused_->kv().reserve(first_query()));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::ChunkKvCalculator> calculator,
                         engine::ChunkKvCalculator::make(*model_, prefix, shape_.passage_tokens));
  for (int passage = 0; passage < shape_.n_passages; ++passage) {
    const auto n = static_cast<size_t>(shape_.passage_tokens);
    MNEME_ASSIGN_OR_RETURN(const engine::ChunkKv kv,
                           calculator->calculate(ids.subspan(static_cast<size_t>(passage) * n, n), cancel));
    const engine::TokenPos first = n_prefix_ + passage * shape_.passage_tokens;
    for (int layer = 0; layer < config().n_layers; ++layer) {
      const auto l = static_cast<size_t>(layer);
      reused_->kv().place(layer, first, kv.n_tokens, kv.keys[l], kv.values[l], rope_of(config(), layer));
    }
    MNEME_RETURN_IF_ERROR(model_->backend().synchronize());  // until then the passage's KV is borrowed
  }
  return {};
}

Result<LayerTrace> TextTrace::read(engine::Sequence& sequence, int layer, int n_tokens) const {
  LayerTrace trace;
  trace.keys.resize(static_cast<size_t>(n_tokens) * static_cast<size_t>(config().kv_dim()));
  trace.rotated.resize(trace.keys.size());
  trace.values.resize(trace.keys.size());
  const engine::KvCache& cache = sequence.kv();
  MNEME_RETURN_IF_ERROR(cache.read(layer, 0, n_tokens, /*unrotated=*/true, trace.keys, trace.values));
  MNEME_RETURN_IF_ERROR(cache.read(layer, 0, n_tokens, /*unrotated=*/false, trace.rotated, trace.values));
  return trace;
}

}  // namespace mneme::app
