#include "engine/encoder.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "engine/backend/kv_memory.h"
#include "engine/encoder_input.h"
#include "engine/model/dense_layers.h"
#include "engine/model/model_identity.h"
#include "engine/model/rank_head.h"
#include "engine/model_parts.h"
#include "engine/transformer/forward_pass.h"

namespace mneme::engine {

namespace {

// A step takes whole texts up to this many rows, or one longer text; no text is longer than kMaxTextTokens.
constexpr int kStepRows = 512;
constexpr int kStepTexts = 16;
constexpr int kMaxTextTokens = 2048;

class OpenedEncoder final : public Encoder {
 public:
  explicit OpenedEncoder(std::unique_ptr<ModelParts> parts)
      : parts_(std::move(parts)),
        max_tokens_(std::min(parts_->config.context_length, kMaxTextTokens)),
        input_(EncoderInput::make(parts_->file, parts_->config, *parts_->tokenizer, max_tokens_)) {}

  Status make_pass() {
    MutexLock lock(mutex_);
    MNEME_ASSIGN_OR_RETURN(
        pass_, ForwardPass::make(parts_->config, *parts_->weights, *parts_->backend, std::max(max_tokens_, kStepRows)));
    MNEME_ASSIGN_OR_RETURN(dense_, DenseLayers::load(parts_->file, parts_->config.dim));
    if (parts_->config.pooling == Pooling::kRank) {
      MNEME_ASSIGN_OR_RETURN(head_, RankHead::load(parts_->file, parts_->config));
    }
    return {};
  }

  int dim() const override { return dense_.output_dim(); }
  int max_tokens() const override { return max_tokens_; }
  const ModelConfig& config() const override { return parts_->config; }
  const Tokenizer& tokenizer() const override { return *parts_->tokenizer; }
  const std::string& path() const override { return parts_->path; }

  Hash128 identity() const override {
    std::call_once(identity_once_, [this] {
      identity_ = model_identity(parts_->file, parts_->config);
      parts_->file.release_pages();
    });
    return identity_;
  }

  Result<std::vector<float>> embed(std::span<const std::string_view> texts, const CancelToken& cancel) override {
    std::vector<std::vector<TokenId>> ids;
    ids.reserve(texts.size());
    for (const std::string_view text : texts) ids.push_back(input_.text(text));
    return embed_ids(ids, cancel);
  }

  Result<std::vector<float>> embed_ids(std::span<const std::vector<TokenId>> texts,
                                       const CancelToken& cancel) override {
    MutexLock lock(mutex_);
    std::vector<float> vectors(texts.size() * static_cast<size_t>(dim()));
    for (size_t first = 0; first < texts.size();) {
      const size_t count = step_size(texts.subspan(first));
      MNEME_RETURN_IF_ERROR(run_step(texts.subspan(first, count), {}, cancel));
      pool(texts.subspan(first, count), vectors.data() + first * static_cast<size_t>(dim()));
      first += count;
    }
    return vectors;
  }

  bool is_ranker() const override { return parts_->config.pooling == Pooling::kRank; }

  Result<std::vector<double>> rank(std::string_view question, std::span<const std::string_view> passages,
                                   const CancelToken& cancel) override {
    std::vector<std::vector<TokenId>> pairs;
    std::vector<int> second;
    for (const std::string_view passage : passages) {
      EncoderInput::Pair pair = input_.pair(question, passage);
      pairs.push_back(std::move(pair.ids));
      second.push_back(pair.second);
    }
    return rank_ids(pairs, second, cancel);
  }

  Result<std::vector<double>> rank_ids(std::span<const std::vector<TokenId>> pairs, std::span<const int> second,
                                       const CancelToken& cancel) override {
    if (!is_ranker()) return unsupported("the model " + parts_->path + " has no classification head to rank with");
    MutexLock lock(mutex_);
    std::vector<double> scores;
    while (scores.size() < pairs.size()) {
      const size_t first = scores.size();
      const size_t count = step_size(pairs.subspan(first));
      MNEME_RETURN_IF_ERROR(run_step(pairs.subspan(first, count), second.subspan(first, count), cancel));
      add_scores(pairs.subspan(first, count), scores);
    }
    return scores;
  }

 private:
  int n_rows(const std::vector<TokenId>& ids) const { return std::min(static_cast<int>(ids.size()), max_tokens_); }

  // How many of the texts go into the next step: at least one.
  size_t step_size(std::span<const std::vector<TokenId>> texts) const {
    int rows = 0;
    size_t count = 0;
    while (count < texts.size() && count < kStepTexts) {
      rows += n_rows(texts[count]);
      if (count > 0 && rows > kStepRows) break;
      ++count;
    }
    return count;
  }

  // second: of pairs, where the second text of each begins; empty: no pairs.
  Status run_step(std::span<const std::vector<TokenId>> texts, std::span<const int> second, const CancelToken& cancel)
      MNEME_REQUIRES(mutex_) {
    positions_.clear();
    ids_.clear();
    types_.clear();
    groups_.clear();
    for (size_t i = 0; i < texts.size(); ++i) {
      const int n = n_rows(texts[i]);
      if (n == 0) continue;
      MNEME_ASSIGN_OR_RETURN(KvCache * cache, text_cache(i));
      MNEME_RETURN_IF_ERROR(cache->reserve(n));
      groups_.push_back({cache, static_cast<int>(ids_.size()), n});
      ids_.insert(ids_.end(), texts[i].begin(), texts[i].begin() + n);
      for (int position = 0; position < n; ++position) {
        positions_.push_back(position);
        if (!second.empty()) types_.push_back(position >= second[i] ? 1 : 0);
      }
    }
    hidden_.resize(ids_.size() * width());
    if (ids_.empty()) return {};
    MNEME_RETURN_IF_ERROR(pass_->begin({positions_, groups_}, ids_, types_));
    for (int layer = 0; layer < parts_->config.n_layers; ++layer) {
      if (cancel.cancelled()) return cancelled();
      pass_->run_layer(layer);
    }
    pass_->normalise_output();
    return parts_->backend->read(pass_->hidden(), static_cast<int>(ids_.size()), hidden_);
  }

  Result<KvCache*> text_cache(size_t index) MNEME_REQUIRES(mutex_) {
    KvCacheOptions options = kv_options_of(parts_->config);
    options.max_tokens = max_tokens_;
    while (caches_.size() <= index) {
      MNEME_ASSIGN_OR_RETURN(caches_.emplace_back(), parts_->backend->make_kv_cache(options));
    }
    return caches_[index].get();
  }

  size_t width() const { return static_cast<size_t>(parts_->config.dim); }  // of a hidden state

  // What stands for a text of n > 0 rows from `first` on where its pair is scored: the first row, the last where it
  // alone has seen all of them, or the mean.
  std::vector<float> row_to_rank(size_t first, size_t n) const MNEME_REQUIRES(mutex_) {
    const std::span<const float> rows = std::span<const float>(hidden_).subspan(first * width(), n * width());
    const std::span<const float> one = parts_->config.causal ? rows.last(width()) : rows.first(width());
    if (!parts_->config.ranks_by_mean) return {one.begin(), one.end()};
    std::vector<double> sums(width());
    for (size_t i = 0; i < rows.size(); ++i) sums[i % width()] += rows[i];
    std::vector<float> mean(width());
    for (size_t i = 0; i < mean.size(); ++i) mean[i] = static_cast<float>(sums[i] / static_cast<double>(n));
    return mean;
  }

  // A score for each pair of the step; 0 for one without any token.
  void add_scores(std::span<const std::vector<TokenId>> pairs, std::vector<double>& scores) const
      MNEME_REQUIRES(mutex_) {
    size_t first = 0;
    for (const std::vector<TokenId>& pair : pairs) {
      const auto n = static_cast<size_t>(n_rows(pair));
      scores.push_back(n == 0 ? 0.0 : head_->score(row_to_rank(first, n)));
      first += n;
    }
  }

  // The texts' vectors of the step, of length 1; zero for a text without any token.
  void pool(std::span<const std::vector<TokenId>> texts, float* vectors) const MNEME_REQUIRES(mutex_) {
    const float* rows = hidden_.data();
    for (const std::vector<TokenId>& text : texts) {
      const auto n = static_cast<size_t>(n_rows(text));
      if (n > 0) pool_text(rows, n, vectors);
      rows += n * width();
      vectors += dim();
    }
  }

  void pool_text(const float* rows, size_t n, float* vector) const {
    const Pooling pooling = parts_->config.pooling;
    const size_t first = pooling == Pooling::kLast ? n - 1 : 0;
    const size_t end = pooling == Pooling::kFirst ? 1 : n;
    std::vector<double> sums(width());
    for (size_t row = first; row < end; ++row) {
      for (size_t i = 0; i < width(); ++i) sums[i] += rows[row * width() + i];
    }
    if (!dense_.empty()) {
      std::vector<float> mean(sums.size());
      for (size_t i = 0; i < sums.size(); ++i) mean[i] = static_cast<float>(sums[i] / static_cast<double>(end - first));
      mean = dense_.apply(mean);
      sums.assign(mean.begin(), mean.end());
    }
    double squares = 0;
    for (const double sum : sums) squares += sum * sum;
    const double scale = squares > 0 ? 1.0 / std::sqrt(squares) : 0.0;
    for (size_t i = 0; i < sums.size(); ++i) vector[i] = static_cast<float>(sums[i] * scale);
  }

  const std::unique_ptr<ModelParts> parts_;
  const int max_tokens_;
  const EncoderInput input_;
  DenseLayers dense_;             // behind pooling; most have none
  std::optional<RankHead> head_;  // of a cross-encoder
  mutable std::once_flag identity_once_;
  mutable Hash128 identity_;

  mutable Mutex mutex_;  // one step at a time
  std::unique_ptr<ForwardPass> pass_ MNEME_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<KvCache>> caches_ MNEME_GUARDED_BY(mutex_);  // by index of the text in a step
  std::vector<TokenPos> positions_ MNEME_GUARDED_BY(mutex_);
  std::vector<TokenId> ids_ MNEME_GUARDED_BY(mutex_);
  std::vector<TokenId> types_ MNEME_GUARDED_BY(mutex_);  // of pairs: which of the two texts
  std::vector<RowGroup> groups_ MNEME_GUARDED_BY(mutex_);
  std::vector<float> hidden_ MNEME_GUARDED_BY(mutex_);  // (rows of the step, dim)
};

}  // namespace

Result<std::unique_ptr<Encoder>> Encoder::open(const std::string& path, const ModelOptions& options) {
  MNEME_ASSIGN_OR_RETURN(gguf::GgufFile file, gguf::GgufFile::open(path));
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<ModelParts> parts,
                         load_model_parts(path, std::move(file), {}, options, ModelKind::kEncoder));
  auto encoder = std::make_unique<OpenedEncoder>(std::move(parts));
  MNEME_RETURN_IF_ERROR(encoder->make_pass());
  return std::unique_ptr<Encoder>(std::move(encoder));
}

}  // namespace mneme::engine
