#include "engine/model_runtime.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <string>
#include <utility>

#include "base/stopwatch.h"
#include "engine/backend/kv_memory.h"
#include "engine/transformer/sampler.h"

namespace mneme::engine {

namespace {

using Clock = std::chrono::steady_clock;

// Steps of fewer rows say little about what a prefill costs.
constexpr size_t kTimedRows = 64;

class ModelSequence final : public Sequence {
 public:
  ModelSequence(ModelRuntime& runtime, std::unique_ptr<KvCache> cache, int max_tokens)
      : runtime_(runtime), cache_(std::move(cache)), max_tokens_(max_tokens) {}
  // Giving the cache back is work for the backend, which takes one thread at a time.
  ~ModelSequence() override {
    const EngineQueue::Turn turn = runtime_.steps().queue().enter(priority_);
    cache_.reset();
  }

  void set_priority(Priority priority) override { priority_ = priority; }
  int n_tokens() const override { return static_cast<int>(tokens_.size()); }
  std::span<const TokenId> tokens() const override { return tokens_; }
  std::span<const float> logits() const override { return logits_; }
  KvCache& kv() override { return *cache_; }

  Status append(std::span<const TokenId> ids, const CancelToken& cancel) override { return run(ids, nullptr, cancel); }

  Status append_and_sample(TokenId id, Sampler& sampler, TokenId& next, const CancelToken& cancel) override {
    if (!runtime_.backend().finds_likeliest() || sampler.needs_all_logits())
      return Sequence::append_and_sample(id, sampler, next, cancel);
    return run(std::span(&id, 1), nullptr, cancel, {&sampler, &next});
  }

  Status append_with_logits(std::span<const TokenId> ids, std::vector<float>& all_logits,
                            const CancelToken& cancel) override {
    all_logits.clear();
    return run(ids, &all_logits, cancel);
  }

  void keep_place() override {
    if (!runtime_.config().has_state()) return;
    const EngineQueue::Turn turn = runtime_.steps().queue().enter(priority_);
    if (cache_->state_tokens() == this->n_tokens()) cache_->keep_state();
  }

  int kept_place(int n_tokens) const override {
    if (!runtime_.config().has_state() || cache_->state_tokens() == n_tokens) return n_tokens;
    return cache_->kept_state(n_tokens);
  }

  void truncate(int n_tokens) override {
    if (n_tokens < 0 || n_tokens >= this->n_tokens()) return;
    tokens_.resize(static_cast<size_t>(n_tokens));
    logits_.clear();
    cache_->forget(n_tokens);
  }

  Status set_retrieval(const RetrievalOptions& options) override {
    if (options.kind != AttentionKind::kFull && runtime_.config().has_state())
      return unsupported(
          "retrieval of keys is not for this model, whose layers keep a state of what was read; use --attention full");
    const EngineQueue::Turn turn = runtime_.steps().queue().enter(priority_);
    MNEME_RETURN_IF_ERROR(cache_->set_retrieval(options, runtime_.config()));
    retrieval_ = options;
    return {};
  }
  bool attends_to_all(int n_tokens) const override {
    return !retrieves() || step_budget(retrieval_, n_tokens).everything;
  }
  RetrievalReport retrieval_report() const override { return cache_->retrieval_report(); }

  void adopt(std::span<const TokenId> ids, std::span<const float> logits) override {
    assert(tokens_.size() + ids.size() <= static_cast<size_t>(max_tokens_));
    tokens_.insert(tokens_.end(), ids.begin(), ids.end());
    logits_.assign(logits.begin(), logits.end());
  }

 private:
  // Who samples the token after a step's, and where it goes; null: nobody.
  struct Sampling {
    Sampler* sampler;
    TokenId* sampled;
  };

  // Runs all ids in steps, each with a turn of its own. Only when all is done does the sequence change: what a failed
  // or cancelled run has written lies beyond n_tokens() and is written again by the next one.
  Status run(std::span<const TokenId> ids, std::vector<float>* all_logits, const CancelToken& cancel,
             const Sampling& sampling = Sampling()) {
    if (ids.empty()) return {};
    const size_t n_after = tokens_.size() + ids.size();
    if (n_after > static_cast<size_t>(max_tokens_))
      return resource_error("the text needs " + std::to_string(n_after) + " tokens of context where " +
                            std::to_string(max_tokens_) + " were set aside; shorten it or allow more context");
    MNEME_RETURN_IF_ERROR(check_memory(n_after));
    MNEME_RETURN_IF_ERROR(find_state(cancel));
    if (retrieves() && ids.size() == 1) MNEME_RETURN_IF_ERROR(prepare_retrieval(cancel));
    const auto most = static_cast<size_t>(runtime_.steps().most_rows());
    for (size_t first = 0; first < ids.size(); first += most) {
      const size_t count = std::min(most, ids.size() - first);
      const bool last = first + count == ids.size();
      const Step step{.cache = cache_.get(),
                      .first_position = static_cast<TokenPos>(tokens_.size() + first),
                      .ids = ids.subspan(first, count),
                      .wanted = all_logits != nullptr ? WantedLogits::kAll
                                : last                ? WantedLogits::kLast
                                                      : WantedLogits::kNone,
                      .sampler = sampling.sampler,
                      .sampled = sampling.sampled,
                      .priority = priority_,
                      .cancel = &cancel};
      const Clock::time_point start = Clock::now();
      MNEME_RETURN_IF_ERROR(runtime_.steps().run(step, new_logits_));
      if (count >= kTimedRows) {
        const double seconds = seconds_since(start);
        runtime_.clustering_model().add_layer(static_cast<double>(count), step.first_position,
                                              seconds / runtime_.config().n_layers);
      }
      if (all_logits != nullptr) all_logits->insert(all_logits->end(), new_logits_.begin(), new_logits_.end());
    }
    tokens_.insert(tokens_.end(), ids.begin(), ids.end());
    const auto vocab_size = static_cast<size_t>(runtime_.config().vocab_size);
    if (sampling.sampler != nullptr) {
      logits_.clear();
    } else if (new_logits_.size() == vocab_size) {
      logits_.swap(new_logits_);  // half a megabyte a token that need not be copied
    } else {
      logits_.assign(new_logits_.end() - static_cast<std::ptrdiff_t>(vocab_size), new_logits_.end());
    }
    return {};
  }

  // Layers that keep a state may have one behind other tokens than those that there are: of a text that was cut back,
  // or of a step that ended between two layers. Then tokens are read again from the last kept place on.
  Status find_state(const CancelToken& cancel) {
    const int wanted = n_tokens();
    if (!runtime_.config().has_state() || wanted == 0 || cache_->state_tokens() == wanted) return {};
    size_t first = 0;
    {
      const EngineQueue::Turn turn = runtime_.steps().queue().enter(priority_);
      first = static_cast<size_t>(cache_->restore_state(wanted));
    }
    const auto most = static_cast<size_t>(runtime_.steps().most_rows());
    std::vector<float> no_logits;
    for (; first < tokens_.size(); first += most) {
      const Step step{.cache = cache_.get(),
                      .first_position = static_cast<TokenPos>(first),
                      .ids = std::span<const TokenId>(tokens_).subspan(first, std::min(most, tokens_.size() - first)),
                      .wanted = WantedLogits::kNone,
                      .priority = priority_,
                      .cancel = &cancel};
      MNEME_RETURN_IF_ERROR(runtime_.steps().run(step, no_logits));
    }
    keep_place();  // what was come back to once will be again
    return {};
  }

  // Before the first step that would not fit, instead of in the middle of a long prefill.
  Status check_memory(size_t n_after) {
    const auto wanted = static_cast<int>(n_after);
    if (wanted <= checked_tokens_) return {};
    MNEME_RETURN_IF_ERROR(check_kv_memory(*cache_, wanted, cache_->free_bytes(runtime_.backend().free_memory_bytes())));
    checked_tokens_ = std::min(max_tokens_, wanted + kTokensBetweenChecks);
    return {};
  }

  bool retrieves() const { return retrieval_.kind != AttentionKind::kFull; }

  Status prepare_retrieval(const CancelToken& cancel) {
    const EngineQueue::Turn turn = runtime_.steps().queue().enter(priority_);
    return cache_->prepare_retrieval(n_tokens(), &runtime_.clustering_model(), cancel);
  }

  static constexpr int kTokensBetweenChecks = 256;

  ModelRuntime& runtime_;
  std::unique_ptr<KvCache> cache_;
  int checked_tokens_ = 0;      // there is memory for
  RetrievalOptions retrieval_;  // kFull at first
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
    MNEME_ASSIGN_OR_RETURN(free_pass_, new_pass(max_rows));
  }
  return free_pass_.get();
}

Result<std::unique_ptr<Sequence>> ModelRuntime::new_sequence(int max_tokens, bool keep_unrotated_keys) {
  if (max_tokens < 1) return usage_error("a sequence needs room for at least one token");
  KvCacheOptions options = kv_options_of(config_);
  options.max_tokens = max_tokens;
  options.keep_unrotated_keys = keep_unrotated_keys;
  options.type = keep_unrotated_keys ? KvType::kF16 : kv_type_;
  const EngineQueue::Turn turn = steps_.queue().enter(Priority::kInteractive);
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<KvCache> cache, backend_.make_kv_cache(options));
  return std::unique_ptr<Sequence>(std::make_unique<ModelSequence>(*this, std::move(cache), max_tokens));
}

}  // namespace mneme::engine
