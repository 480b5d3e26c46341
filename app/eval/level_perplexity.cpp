#include "app/eval/level_perplexity.h"

#include <algorithm>
#include <cmath>

#include "app/eval/layer_rope.h"
#include "engine/transformer/distribution.h"

namespace mneme::app {
namespace {

constexpr size_t kBatch = 128;  // tokens whose logits are held at once
constexpr uint64_t kBootstrapSeed = 1;

}  // namespace

LevelPerplexity::LevelPerplexity(engine::LanguageModel& model, std::vector<std::unique_ptr<engine::KvCodec>> codecs)
    : model_(model), codecs_(std::move(codecs)), scores_(codecs_.size()) {}

double LevelPerplexity::perplexity(const LevelScore& score) const {
  return std::exp(score.nll / static_cast<double>(std::max<int64_t>(tokens_, 1)));
}

Interval LevelPerplexity::increase_95(const LevelScore& score) const {
  if (score.windows.empty()) return {};
  const double tokens_a_window = static_cast<double>(tokens_) / static_cast<double>(score.windows.size());
  std::vector<double> differences;
  differences.reserve(score.windows.size());
  for (size_t i = 0; i < score.windows.size(); ++i) {
    differences.push_back((score.windows[i] - exact_.windows[i]) / tokens_a_window);
  }
  const Interval interval = bootstrap_mean_95(differences, kBootstrapSeed);
  return {std::expm1(interval.low), std::expm1(interval.high)};
}

void LevelPerplexity::add(const LevelWindow& window) {
  tokens_ += window.tokens;
  exact_.nll += window.exact_nll;
  exact_.windows.push_back(window.exact_nll);
  for (size_t i = 0; i < scores_.size(); ++i) {
    const LevelWindow::Coded& coded = window.codecs[i];
    scores_[i].nll += coded.nll;
    scores_[i].windows.push_back(coded.nll);
    scores_[i].encoded_bytes += coded.encoded_bytes;
    scores_[i].elements += coded.elements;
  }
}

Status LevelPerplexity::add_window(std::span<const engine::TokenId> window, const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(const LevelWindow scored, score_window(window, cancel));
  add(scored);
  return {};
}

Result<LevelWindow> LevelPerplexity::score_window(std::span<const engine::TokenId> window, const CancelToken& cancel) {
  if (window.size() < 4) return usage_error("a window of fewer than 4 tokens has no halves to measure.");
  std::vector<engine::TokenId> ids;
  const engine::Tokenizer& tokenizer = model_.tokenizer();
  if (tokenizer.add_bos() && tokenizer.bos() != engine::kNoToken) ids.push_back(tokenizer.bos());
  const auto first = static_cast<int>(ids.size());
  ids.insert(ids.end(), window.begin(), window.end());
  const auto n_coded = static_cast<int>(window.size() / 2);
  const int half = first + n_coded;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> sequence,
                         model_.new_sequence(static_cast<int>(ids.size()), /*keep_unrotated_keys=*/true));
  MNEME_RETURN_IF_ERROR(sequence->append(std::span(ids).first(static_cast<size_t>(half)), cancel));
  const engine::ModelConfig& config = model_.config();
  std::vector<LayerKv> kv(static_cast<size_t>(config.n_kv_layers()));
  for (int layer = 0; layer < config.n_kv_layers(); ++layer) {
    LayerKv& own = kv[static_cast<size_t>(layer)];
    own.keys.resize(static_cast<size_t>(n_coded) * static_cast<size_t>(config.heads(layer).kv_dim()));
    own.values.resize(own.keys.size());
    MNEME_RETURN_IF_ERROR(sequence->kv().read(layer, first, n_coded, /*unrotated=*/true, own.keys, own.values));
  }
  const std::span<const engine::TokenId> rest = std::span(ids).subspan(static_cast<size_t>(half));
  LevelWindow scored;
  scored.tokens = static_cast<int64_t>(rest.size()) - 1;
  scored.codecs.resize(codecs_.size());
  MNEME_ASSIGN_OR_RETURN(scored.exact_nll, score_rest(*sequence, rest, cancel));
  for (size_t i = 0; i < codecs_.size(); ++i) {
    sequence->truncate(half);
    MNEME_RETURN_IF_ERROR(pass_through(*codecs_[i], *sequence, first, n_coded, kv, scored.codecs[i]));
    MNEME_ASSIGN_OR_RETURN(scored.codecs[i].nll, score_rest(*sequence, rest, cancel));
  }
  return scored;
}

Status LevelPerplexity::pass_through(const engine::KvCodec& codec, engine::Sequence& sequence, int first, int n_tokens,
                                     const std::vector<LayerKv>& kv, LevelWindow::Coded& coded) {
  std::vector<std::byte> encoded;
  LayerKv back;
  for (size_t layer = 0; layer < kv.size(); ++layer) {
    encoded.clear();
    const auto number = static_cast<int>(layer);
    MNEME_RETURN_IF_ERROR(codec.encode_layer(number, n_tokens, kv[layer].keys, kv[layer].values, encoded));
    back.keys.resize(kv[layer].keys.size());
    back.values.resize(kv[layer].values.size());
    MNEME_RETURN_IF_ERROR(codec.decode_layer(number, n_tokens, encoded, back.keys, back.values));
    sequence.kv().place(number, first, n_tokens, back.keys, back.values, rope_of(model_.config(), number));
    // The backend may copy later than it returns.
    MNEME_RETURN_IF_ERROR(model_.backend().synchronize());
    coded.encoded_bytes += encoded.size();
    coded.elements += kv[layer].keys.size() + kv[layer].values.size();
  }
  return {};
}

// The tokens of `rest` but the first, whose prediction comes from before the codec.
Result<double> LevelPerplexity::score_rest(engine::Sequence& sequence, std::span<const engine::TokenId> rest,
                                           const CancelToken& cancel) {
  const auto vocab = static_cast<size_t>(model_.config().vocab_size);
  std::vector<float> logits;
  double nll = 0;
  for (size_t begin = 0; begin + 1 < rest.size(); begin += kBatch) {
    const size_t n = std::min(kBatch, rest.size() - 1 - begin);
    MNEME_RETURN_IF_ERROR(sequence.append_with_logits(rest.subspan(begin, n), logits, cancel));
    for (size_t i = 0; i < n; ++i) {
      nll -= engine::token_log_probability(std::span(logits).subspan(i * vocab, vocab), rest[begin + i + 1]);
    }
  }
  return nll;
}

}  // namespace mneme::app
