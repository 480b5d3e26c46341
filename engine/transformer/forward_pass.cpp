#include "engine/transformer/forward_pass.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <utility>

#include "engine/transformer/model_weights.h"
#include "engine/transformer/sampler.h"

namespace mneme::engine {

namespace {

// Rows of logits computed at once: bounds the buffer (32 rows of a vocabulary of 256k are 32 MiB).
constexpr int kLogitRows = 32;

class LayerwisePass final : public ForwardPass {
 public:
  LayerwisePass(const ModelConfig& config, const ModelWeights& weights, Backend& backend, int max_rows)
      : config_(config), weights_(weights), backend_(backend), max_rows_(max_rows) {
    const auto count = static_cast<size_t>(max_rows);
    positions_.reserve(count);
    groups_.reserve(count);
    token_types_.assign(count, 0);
  }

  Status make_scratch() {
    MNEME_RETURN_IF_ERROR(make(max_rows_, config_.dim, hidden_));
    if (weights_.layer_inputs.table != nullptr)
      MNEME_RETURN_IF_ERROR(make(max_rows_, config_.n_layers * config_.layer_input_dim, layer_inputs_));
    if (config_.has_state()) MNEME_RETURN_IF_ERROR(make(max_rows_, config_.state.value_dim(), mixed_));
    for (int layer = 0; layer < config_.n_layers; ++layer) {
      if (!config_.attends(layer) || find_heads(layer) != nullptr) continue;
      HeadRows& rows = heads_.emplace_back();
      MNEME_RETURN_IF_ERROR(make(max_rows_, config_.query_width(layer), rows.queries));
      MNEME_RETURN_IF_ERROR(make(max_rows_, config_.heads(layer).q_dim(), rows.attended));
    }
    return {};
  }

  int max_rows() const override { return max_rows_; }
  Result<ForwardPass*> beside(int max_rows) override {
    if (beside_ == nullptr || beside_->max_rows() < max_rows) {
      beside_.reset();
      MNEME_ASSIGN_OR_RETURN(beside_, ForwardPass::make(config_, weights_, backend_, max_rows));
    }
    return beside_.get();
  }

  const RowSet& rows() const override { return rows_; }
  const Activations& hidden() const override { return *hidden_; }
  const Activations& queries() const override { return *at_hand_->queries; }

  using ForwardPass::begin;
  Status begin(const RowSet& rows, std::span<const TokenId> ids, std::span<const TokenId> token_types) override {
    MNEME_RETURN_IF_ERROR(check(rows, ids));
    assert(token_types.empty() || token_types.size() == ids.size());
    positions_.assign(rows.positions.begin(), rows.positions.end());
    groups_.assign(rows.groups.begin(), rows.groups.end());
    rows_ = {positions_, groups_};
    projected_ = false;
    if (ids.empty()) return {};
    backend_.embed(*weights_.token_embedding, ids, config_.embedding_scale, *hidden_);
    if (weights_.token_types != nullptr) {
      const bool pair = !token_types.empty() && weights_.token_types->n_out > 1;
      const std::span<const TokenId> types =
          pair ? token_types : std::span<const TokenId>(token_types_).first(ids.size());
      backend_.add_rows(*weights_.token_types, types, *hidden_);
    }
    if (weights_.position_embedding != nullptr) backend_.add_rows(*weights_.position_embedding, positions_, *hidden_);
    if (weights_.embedding_norm.weight != nullptr)
      backend_.normalise(config_, weights_.embedding_norm, rows_.n_rows(), *hidden_);
    if (layer_inputs_ != nullptr)
      backend_.make_layer_inputs(config_, weights_.layer_inputs, ids, *hidden_, *layer_inputs_);
    return {};
  }

  void project(int layer) override {
    assert(!projected_);
    projected_ = true;
    projected_layer_ = layer;
    at_hand_ = find_heads(layer);
    if (rows_.n_rows() == 0) return;
    if (config_.keeps_state(layer)) mix(layer);
    if (at_hand_ != nullptr)
      backend_.project_qkv(config_, layer, layer_weights(layer).attention, rows_, *hidden_, *at_hand_->queries);
  }

  void finish(int layer) override {
    assert(projected_);
    projected_ = false;
    if (rows_.n_rows() == 0) return;
    if (at_hand_ != nullptr) backend_.attend(config_, layer, rows_, *at_hand_->queries, *at_hand_->attended);
    finish_layer(layer);
  }

  void run_layer(int layer) override {
    assert(!projected_);
    if (rows_.n_rows() == 0) return;
    at_hand_ = find_heads(layer);
    if (config_.keeps_state(layer)) mix(layer);
    if (at_hand_ != nullptr)
      backend_.project_and_attend(config_, layer, layer_weights(layer).attention, rows_, *hidden_, *at_hand_->queries,
                                  *at_hand_->attended);
    finish_layer(layer);
  }

  void keep_rows(std::span<const int> keep) override {
    const size_t n_before = positions_.size();
    if (keep.size() == n_before) return;
    backend_.keep_rows(keep, *hidden_);
    if (projected_ && config_.keeps_state(projected_layer_)) backend_.keep_rows(keep, *mixed_);
    if (projected_ && at_hand_ != nullptr) backend_.keep_rows(keep, *at_hand_->queries);
    if (layer_inputs_ != nullptr) backend_.keep_rows(keep, *layer_inputs_);
    keep_groups(keep);
    for (size_t i = 0; i < keep.size(); ++i) positions_[i] = positions_[static_cast<size_t>(keep[i])];
    positions_.resize(keep.size());
    rows_ = {positions_, groups_};
  }

  void normalise_output() override {
    if (weights_.output_norm.weight != nullptr && rows_.n_rows() > 0)
      backend_.normalise(config_, weights_.output_norm, rows_.n_rows(), *hidden_);
  }

  Status logits(std::span<const int> rows, std::vector<float>& out) override {
    MNEME_RETURN_IF_ERROR(make_logits(rows.size()));
    const auto vocab_size = static_cast<size_t>(config_.vocab_size);
    out.resize(rows.size() * vocab_size);
    for (size_t first = 0; first < rows.size(); first += kLogitRows) {
      const size_t count = std::min<size_t>(kLogitRows, rows.size() - first);
      backend_.logits(config_, weights_.output_norm, *weights_.output, rows.subspan(first, count), *hidden_, *logits_);
      MNEME_RETURN_IF_ERROR(backend_.read(*logits_, static_cast<int>(count),
                                          std::span(out).subspan(first * vocab_size, count * vocab_size)));
    }
    return {};
  }

  Status sample(std::span<const int> rows, std::span<Sampler* const> samplers, std::span<TokenId> tokens) override {
    assert(rows.size() <= kMostSampled && rows.size() == samplers.size() && rows.size() == tokens.size());
    MNEME_RETURN_IF_ERROR(make_logits(rows.size()));
    backend_.logits(config_, weights_.output_norm, *weights_.output, rows, *hidden_, *logits_);
    const auto vocab_size = static_cast<size_t>(config_.vocab_size);
    all_logits_.clear();
    for (size_t i = 0; i < rows.size(); ++i) {
      MNEME_ASSIGN_OR_RETURN(const std::optional<TokenId> token, sample_on_device(static_cast<int>(i), *samplers[i]));
      tokens[i] = token.value_or(kNoToken);
      if (token) continue;
      if (all_logits_.empty()) {
        all_logits_.resize(rows.size() * vocab_size);
        MNEME_RETURN_IF_ERROR(backend_.read(*logits_, static_cast<int>(rows.size()), all_logits_));
      }
      tokens[i] = samplers[i]->sample(std::span(all_logits_).subspan(i * vocab_size, vocab_size));
    }
    return {};
  }

 private:
  static_assert(kMostSampled <= kLogitRows);

  // Rows of a width that heads of some layers have.
  struct HeadRows {
    std::unique_ptr<Activations> queries;   // (max_rows, query_width())
    std::unique_ptr<Activations> attended;  // (max_rows, n_heads * head_dim)
  };

  // Null: the layer does not attend, or there are none of its width.
  HeadRows* find_heads(int layer) {
    if (!config_.attends(layer)) return nullptr;
    const int width = config_.query_width(layer);
    const auto found =
        std::find_if(heads_.begin(), heads_.end(), [&](const HeadRows& rows) { return rows.queries->width == width; });
    return found == heads_.end() ? nullptr : &*found;
  }

  Status make_logits(size_t n_rows) {
    if (weights_.output == nullptr) return usage_error("this model is an encoder, it predicts no tokens");
    const int batch = std::min<int>(kLogitRows, static_cast<int>(n_rows));
    if (logits_ != nullptr && logits_->max_rows >= batch) return {};
    return make(batch, config_.vocab_size, logits_);
  }

  void mix(int layer) { backend_.mix_state(config_, layer, layer_weights(layer), rows_, *hidden_, *mixed_); }

  // What comes behind attention, and behind what stands in its place or beside it.
  void finish_layer(int layer) {
    const int n_rows = rows_.n_rows();
    const bool feeds_forward = config_.feeds_forward(layer);
    // Of parallel blocks the feed-forward part comes first, as long as the layer's input is what it was.
    if (config_.parallel_blocks && feeds_forward)
      backend_.feed_forward(config_, layer_weights(layer), n_rows, *hidden_);
    if (at_hand_ != nullptr)
      backend_.project_output(config_, layer_weights(layer), n_rows, *at_hand_->attended, *hidden_);
    if (config_.keeps_state(layer)) backend_.project_mixed(config_, layer_weights(layer), n_rows, *mixed_, *hidden_);
    if (!config_.parallel_blocks && feeds_forward)
      backend_.feed_forward(config_, layer_weights(layer), n_rows, *hidden_);
    if (layer_inputs_ != nullptr || config_.layers[static_cast<size_t>(layer)].output_scale != 1.0f)
      backend_.finish_layer(config_, layer, layer_weights(layer), n_rows, layer_inputs_.get(), *hidden_);
  }

  // Nothing where all of the row's logits are needed.
  Result<std::optional<TokenId>> sample_on_device(int row, Sampler& sampler) {
    if (!backend_.finds_likeliest() || sampler.needs_all_logits()) return std::optional<TokenId>();
    MNEME_ASSIGN_OR_RETURN(const LikeliestTokens likeliest,
                           backend_.likeliest(*logits_, row, sampler.temperature_of_total()));
    return sampler.sample(likeliest);
  }

  Status make(int n_rows, int width, std::unique_ptr<Activations>& out) {
    MNEME_ASSIGN_OR_RETURN(out, backend_.make_activations(n_rows, width));
    return {};
  }

  const LayerWeights& layer_weights(int layer) const { return weights_.layers[static_cast<size_t>(layer)]; }

  Status check(const RowSet& rows, std::span<const TokenId> ids) const {
    if (rows.n_rows() > max_rows_ || ids.size() != rows.positions.size())
      return usage_error("a step of " + std::to_string(rows.n_rows()) + " rows and " + std::to_string(ids.size()) +
                         " tokens does not fit a pass of " + std::to_string(max_rows_) + " rows");
    const int64_t n_ids = weights_.token_embedding->n_out;
    for (const TokenId id : ids) {
      if (id < 0 || id >= n_ids) return usage_error("token " + std::to_string(id) + " is not in the vocabulary");
    }
    if (weights_.position_embedding == nullptr) return {};
    for (const TokenPos position : rows.positions) {
      if (position < 0 || position >= weights_.position_embedding->n_out)
        return usage_error("the text is longer than the " + std::to_string(weights_.position_embedding->n_out) +
                           " tokens the model can read");
    }
    return {};
  }

  // Shrinks the groups to the kept rows; groups that lose all of theirs go.
  void keep_groups(std::span<const int> keep) {
    size_t kept_groups = 0;
    size_t next = 0;
    for (const RowGroup& group : groups_) {
      const int first = static_cast<int>(next);
      while (next < keep.size() && keep[next] < group.first_row + group.n_rows) ++next;
      const int count = static_cast<int>(next) - first;
      if (count > 0) groups_[kept_groups++] = {group.cache, first, count};
    }
    groups_.resize(kept_groups);
  }

  const ModelConfig& config_;
  const ModelWeights& weights_;
  Backend& backend_;
  const int max_rows_;

  std::unique_ptr<Activations> hidden_;        // (max_rows, dim), the residual stream
  std::unique_ptr<Activations> layer_inputs_;  // (max_rows, n_layers * layer_input_dim); null: the model has none
  std::vector<HeadRows> heads_;                // one of every width there is
  HeadRows* at_hand_ = nullptr;                // of the layer that was begun last; null: it does not attend
  std::unique_ptr<Activations> mixed_;   // (max_rows, value_dim()), of layers that keep a state; null: there are none
  std::unique_ptr<Activations> logits_;  // (up to kLogitRows, vocab_size), made when first asked for
  std::vector<float> all_logits_;        // scratch: of the rows of a sample()
  std::vector<TokenPos> positions_;
  std::vector<RowGroup> groups_;
  std::vector<TokenId> token_types_;  // all 0: of texts that are no pairs
  RowSet rows_;
  bool projected_ = false;  // between project() and finish()
  int projected_layer_ = 0;
  std::unique_ptr<ForwardPass> beside_;
};

}  // namespace

Result<std::unique_ptr<ForwardPass>> ForwardPass::make(const ModelConfig& config, const ModelWeights& weights,
                                                       Backend& backend, int max_rows) {
  auto pass = std::make_unique<LayerwisePass>(config, weights, backend, max_rows);
  MNEME_RETURN_IF_ERROR(pass->make_scratch());
  return std::unique_ptr<ForwardPass>(std::move(pass));
}

}  // namespace mneme::engine
