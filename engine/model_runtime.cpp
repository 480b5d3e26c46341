#include "engine/model_runtime.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "base/trace.h"

namespace mneme::engine {

namespace {

class ModelSequence final : public Sequence {
 public:
  ModelSequence(ModelRuntime& runtime, std::unique_ptr<KvCache> cache, int max_tokens)
      : runtime_(runtime), cache_(std::move(cache)), max_tokens_(max_tokens) {}

  void set_priority(Priority priority) override { priority_ = priority; }
  int n_tokens() const override { return static_cast<int>(tokens_.size()); }
  std::span<const TokenId> tokens() const override { return tokens_; }
  std::span<const float> logits() const override { return logits_; }
  KvCache& kv() override { return *cache_; }

  Status append(std::span<const TokenId> ids, const CancelToken& cancel) override { return run(ids, nullptr, cancel); }

  Status append_with_logits(std::span<const TokenId> ids, std::vector<float>& all_logits,
                            const CancelToken& cancel) override {
    all_logits.clear();
    return run(ids, &all_logits, cancel);
  }

  void truncate(int n_tokens) override {
    if (n_tokens < 0 || n_tokens >= this->n_tokens()) return;
    tokens_.resize(static_cast<size_t>(n_tokens));
    logits_.clear();
  }

  void adopt(std::span<const TokenId> ids, std::span<const float> logits) override {
    assert(tokens_.size() + ids.size() <= static_cast<size_t>(max_tokens_));
    tokens_.insert(tokens_.end(), ids.begin(), ids.end());
    logits_.assign(logits.begin(), logits.end());
  }

 private:
  // Runs all ids in batches. Only when all is done does the sequence change: what a failed or cancelled run has written
  // lies beyond n_tokens() and is written again by the next one.
  Status run(std::span<const TokenId> ids, std::vector<float>* all_logits, const CancelToken& cancel) {
    if (ids.empty()) return {};
    const size_t n_after = tokens_.size() + ids.size();
    if (n_after > static_cast<size_t>(max_tokens_))
      return resource_error("the text needs " + std::to_string(n_after) + " tokens of context where " +
                            std::to_string(max_tokens_) + " were set aside; shorten it or allow more context");
    EngineQueue::Turn turn = runtime_.queue().enter(priority_);
    MNEME_ASSIGN_OR_RETURN(ForwardPass * pass, runtime_.pass(priority_));
    MNEME_RETURN_IF_ERROR(cache_->reserve(static_cast<int>(n_after)));
    const auto batch = static_cast<size_t>(pass->max_rows());
    for (size_t first = 0; first < ids.size(); first += batch) {
      const size_t count = std::min(batch, ids.size() - first);
      const bool last = first + count == ids.size();
      const Wanted wanted = all_logits != nullptr ? Wanted::kAllLogits : last ? Wanted::kLastLogits : Wanted::kNothing;
      MNEME_RETURN_IF_ERROR(run_batch(*pass, tokens_.size() + first, ids.subspan(first, count), wanted, turn, cancel));
      if (all_logits != nullptr) all_logits->insert(all_logits->end(), new_logits_.begin(), new_logits_.end());
    }
    tokens_.insert(tokens_.end(), ids.begin(), ids.end());
    const auto vocab_size = static_cast<size_t>(runtime_.config().vocab_size);
    logits_.assign(new_logits_.end() - static_cast<std::ptrdiff_t>(vocab_size), new_logits_.end());
    return {};
  }

  enum class Wanted { kNothing, kLastLogits, kAllLogits };

  Status run_batch(ForwardPass& pass, size_t first_position, std::span<const TokenId> ids, Wanted wanted,
                   EngineQueue::Turn& turn, const CancelToken& cancel) {
    const trace::Span span("step", "engine", static_cast<int64_t>(ids.size()));
    const int n_rows = static_cast<int>(ids.size());
    positions_.resize(ids.size());
    for (size_t i = 0; i < ids.size(); ++i) positions_[i] = static_cast<TokenPos>(first_position + i);
    const RowGroup group{cache_.get(), 0, n_rows};
    MNEME_RETURN_IF_ERROR(pass.begin({positions_, {&group, 1}}, ids));
    wanted_rows_.clear();
    if (wanted == Wanted::kLastLogits) wanted_rows_.push_back(n_rows - 1);
    const int n_layers = runtime_.config().n_layers;
    for (int layer = 0; layer < n_layers; ++layer) {
      if (cancel.cancelled()) return cancelled();
      turn.give_way();
      const trace::Span layer_span("layer", "engine", layer);
      pass.project(layer);
      // The last layer's attention and feed-forward matter only where logits are wanted.
      if (layer + 1 == n_layers && wanted != Wanted::kAllLogits) pass.keep_rows(wanted_rows_);
      pass.finish(layer);
    }
    if (wanted == Wanted::kNothing) return runtime_.backend().synchronize();
    wanted_rows_.clear();
    for (int row = 0; row < pass.rows().n_rows(); ++row) wanted_rows_.push_back(row);
    return pass.logits(wanted_rows_, new_logits_);
  }

  ModelRuntime& runtime_;
  const std::unique_ptr<KvCache> cache_;
  const int max_tokens_;
  Priority priority_ = Priority::kInteractive;
  std::vector<TokenId> tokens_;
  std::vector<float> logits_;
  std::vector<float> new_logits_;    // scratch: of the batch that runs
  std::vector<TokenPos> positions_;  // scratch
  std::vector<int> wanted_rows_;     // scratch
};

}  // namespace

Result<ForwardPass*> ModelRuntime::pass(Priority priority) {
  std::unique_ptr<ForwardPass>& pass = passes_[priority == Priority::kInteractive ? 0 : 1];
  if (pass == nullptr) {
    MNEME_ASSIGN_OR_RETURN(pass, ForwardPass::make(config_, weights_, backend_, kBatchRows));
  }
  return pass.get();
}

Result<ForwardPass*> ModelRuntime::free_pass(int max_rows) {
  if (free_pass_ == nullptr || free_pass_->max_rows() < max_rows) {
    free_pass_.reset();
    MNEME_ASSIGN_OR_RETURN(free_pass_, ForwardPass::make(config_, weights_, backend_, max_rows));
  }
  return free_pass_.get();
}

Result<std::unique_ptr<Sequence>> ModelRuntime::new_sequence(int max_tokens, bool keep_unrotated_keys) {
  if (max_tokens < 1) return usage_error("a sequence needs room for at least one token");
  const KvCacheOptions options{.n_layers = config_.n_layers,
                               .n_kv_heads = config_.n_kv_heads,
                               .head_dim = config_.head_dim,
                               .max_tokens = max_tokens,
                               .keep_unrotated_keys = keep_unrotated_keys};
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<KvCache> cache, backend_.make_kv_cache(options));
  return std::unique_ptr<Sequence>(std::make_unique<ModelSequence>(*this, std::move(cache), max_tokens));
}

}  // namespace mneme::engine
