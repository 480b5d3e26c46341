#include "engine/transformer/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
  double left = random_.uniform() * mass;
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
  if (options_.repetition_window > 0) {
    const auto window = static_cast<size_t>(options_.repetition_window);
    if (recent_.size() < window) {
      recent_.push_back(id);
    } else {
      recent_[next_recent_] = id;
      next_recent_ = (next_recent_ + 1) % window;
    }
  }
  return id;
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
