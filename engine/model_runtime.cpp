#include "engine/model_runtime.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

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
  // Runs all ids in steps, each with a turn of its own. Only when all is done does the sequence change: what a failed
  // or cancelled run has written lies beyond n_tokens() and is written again by the next one.
  Status run(std::span<const TokenId> ids, std::vector<float>* all_logits, const CancelToken& cancel) {
    if (ids.empty()) return {};
    const size_t n_after = tokens_.size() + ids.size();
    if (n_after > static_cast<size_t>(max_tokens_))
      return resource_error("the text needs " + std::to_string(n_after) + " tokens of context where " +
                            std::to_string(max_tokens_) + " were set aside; shorten it or allow more context");
    for (size_t first = 0; first < ids.size(); first += StepRunner::kMaxStepRows) {
      const size_t count = std::min<size_t>(StepRunner::kMaxStepRows, ids.size() - first);
      const bool last = first + count == ids.size();
      const Step step{.cache = cache_.get(),
                      .first_position = static_cast<TokenPos>(tokens_.size() + first),
                      .ids = ids.subspan(first, count),
                      .wanted = all_logits != nullptr ? WantedLogits::kAll
                                : last                ? WantedLogits::kLast
                                                      : WantedLogits::kNone,
                      .priority = priority_,
                      .cancel = &cancel};
      MNEME_RETURN_IF_ERROR(runtime_.steps().run(step, new_logits_));
      if (all_logits != nullptr) all_logits->insert(all_logits->end(), new_logits_.begin(), new_logits_.end());
    }
    tokens_.insert(tokens_.end(), ids.begin(), ids.end());
    logits_.assign(new_logits_.end() - runtime_.config().vocab_size, new_logits_.end());
    return {};
  }

  ModelRuntime& runtime_;
  const std::unique_ptr<KvCache> cache_;
  const int max_tokens_;
  Priority priority_ = Priority::kInteractive;
  std::vector<TokenId> tokens_;
  std::vector<float> logits_;      // of the last token
  std::vector<float> new_logits_;  // scratch: of the step that runs
};

}  // namespace

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
                               .keep_unrotated_keys = keep_unrotated_keys,
                               .type = keep_unrotated_keys ? KvType::kF16 : kv_type_};
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<KvCache> cache, backend_.make_kv_cache(options));
  return std::unique_ptr<Sequence>(std::make_unique<ModelSequence>(*this, std::move(cache), max_tokens));
}

}  // namespace mneme::engine
