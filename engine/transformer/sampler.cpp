#include "engine/transformer/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace mneme::engine {

namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();

// Likelier first, ties to the lower id: a total order, so that results do not depend on the library's sort.
template <typename Candidate>
bool likelier(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
}

}  // namespace

Status no_finite_logits(const std::string& model_path) {
  return corruption(model_path + ": the model gives no number that a next token can be chosen by (all are NaN); its " +
                    "weights are damaged, get or convert the file again.");
}

Sampler::Sampler(const SamplerOptions& options) : options_(options), random_(options.seed) {}

void Sampler::collect(std::span<const float> logits) {
  candidates_.clear();
  candidates_.reserve(logits.size());
  for (size_t i = 0; i < logits.size(); ++i) {
    if (logits[i] > kImpossible) candidates_.push_back({static_cast<TokenId>(i), logits[i]});
  }
  if (options_.repetition_penalty == 1.0f || recent_.empty()) return;
  std::vector<TokenId> penalised = recent_;
  std::sort(penalised.begin(), penalised.end());
  for (Candidate& candidate : candidates_) {
    if (!std::binary_search(penalised.begin(), penalised.end(), candidate.id)) continue;
    const float penalty = options_.repetition_penalty;
    candidate.logit = candidate.logit > 0 ? candidate.logit / penalty : candidate.logit * penalty;
  }
}

TokenId Sampler::draw() {
  const size_t n_kept =
      options_.top_k > 0 ? std::min(candidates_.size(), static_cast<size_t>(options_.top_k)) : candidates_.size();
  std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(n_kept), candidates_.end(),
                    likelier<Candidate>);
  candidates_.resize(n_kept);
  weights_.resize(n_kept);
  double total = 0.0;
  for (size_t i = 0; i < n_kept; ++i) {
    weights_[i] = std::exp((static_cast<double>(candidates_[i].logit) - candidates_[0].logit) / options_.temperature);
    total += weights_[i];
  }
  // The smallest set of likeliest tokens whose share reaches top_p.
  size_t n_nucleus = 0;
  double mass = 0.0;
  while (n_nucleus < n_kept && (n_nucleus == 0 || mass < options_.top_p * total)) mass += weights_[n_nucleus++];
  double left = uniform() * mass;
  for (size_t i = 0; i + 1 < n_nucleus; ++i) {
    left -= weights_[i];
    if (left < 0) return candidates_[i].id;
  }
  return candidates_[n_nucleus - 1].id;
}

TokenId Sampler::sample(std::span<const float> logits) {
  collect(logits);
  if (candidates_.empty()) return kNoToken;
  const bool greedy = !(options_.temperature > 0.0f);
  const TokenId id =
      greedy ? std::min_element(candidates_.begin(), candidates_.end(), likelier<Candidate>)->id : draw();
  remember(id);
  return id;
}

void Sampler::remember(TokenId id) {
  if (options_.repetition_window <= 0) return;
  const auto window = static_cast<size_t>(options_.repetition_window);
  if (recent_.size() < window) {
    recent_.push_back(id);
  } else {
    recent_[next_recent_] = id;
    next_recent_ = (next_recent_ + 1) % window;
  }
}

double Sampler::uniform() {
  if (!drawn_) drawn_ = random_.uniform();
  return *std::exchange(drawn_, std::nullopt);
}

std::optional<TokenId> Sampler::sample(const LikeliestTokens& likeliest) {
  if (needs_all_logits()) return std::nullopt;
  if (likeliest.tokens.empty()) return kNoToken;
  const std::optional<size_t> place = options_.temperature > 0.0f ? draw_from(likeliest) : 0;
  if (!place) return std::nullopt;
  return likeliest.tokens[*place].id;  // not remembered: only what is penalised needs that
}

// draw() with what it does not know kept between two bounds: the same sums in the same order, so that where the bounds
// agree on a token it is draw()'s.
std::optional<size_t> Sampler::draw_from(const LikeliestTokens& likeliest) {
  constexpr double kRounding = 1e-9;  // of sums in another order; more than they differ by
  const std::vector<LikeliestTokens::Token>& tokens = likeliest.tokens;
  const size_t top_k = options_.top_k > 0 ? static_cast<size_t>(options_.top_k) : SIZE_MAX;
  const bool holds_all = likeliest.are_all || top_k <= tokens.size();
  if (!holds_all && top_k != SIZE_MAX) return std::nullopt;
  weights_.resize(std::min(top_k, tokens.size()));
  double sum = 0.0;
  for (size_t i = 0; i < weights_.size(); ++i) {
    weights_[i] = std::exp((static_cast<double>(tokens[i].logit) - tokens[0].logit) / options_.temperature);
    sum += weights_[i];
  }
  const double total = holds_all ? sum : likeliest.total;
  if (!(total > 0.0) || !std::isfinite(total)) return std::nullopt;
  const double slack = holds_all ? 0.0 : kRounding * total;
  const double wanted = options_.top_p * total;
  size_t n_nucleus = 0;
  double mass = 0.0;
  while (n_nucleus < weights_.size() && (n_nucleus == 0 || mass < wanted)) {
    mass += weights_[n_nucleus++];
    if (slack > 0.0 && std::abs(mass - wanted) <= slack) return std::nullopt;
  }
  const bool ends_here = holds_all || mass >= wanted;
  drawn_ = uniform();
  // What the nucleus weighs: as draw() has it, or, where it ends among tokens that are not known, within these.
  const double least = ends_here ? mass : wanted - slack;
  const double most = ends_here ? mass : std::min(total, wanted + weights_.back()) + slack;
  const auto place_of = [&](double left) {
    size_t i = 0;
    for (; i + (ends_here ? 1 : 0) < n_nucleus; ++i) {
      left -= weights_[i];
      if (left < 0) break;
    }
    return i;
  };
  const size_t place = place_of(*drawn_ * least);
  if (place >= n_nucleus || place != place_of(*drawn_ * most)) return std::nullopt;
  drawn_.reset();
  return place;
}

std::vector<TokenLogprob> top_logprobs(std::span<const float> logits, int n) {
  struct Entry {
    TokenId id;
    float logit;
  };
  std::vector<Entry> entries;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (logits[i] > kImpossible) entries.push_back({static_cast<TokenId>(i), logits[i]});
  }
  const size_t n_kept = std::min(entries.size(), static_cast<size_t>(std::max(n, 0)));
  std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(n_kept), entries.end(),
                    likelier<Entry>);
  if (n_kept == 0) return {};
  double total = 0.0;
  for (const Entry& entry : entries) total += std::exp(static_cast<double>(entry.logit) - entries[0].logit);
  const double log_total = entries[0].logit + std::log(total);
  std::vector<TokenLogprob> top;
  top.reserve(n_kept);
  for (size_t i = 0; i < n_kept; ++i) top.push_back({entries[i].id, static_cast<float>(entries[i].logit - log_total)});
  return top;
}

}  // namespace mneme::engine
