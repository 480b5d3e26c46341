#include "engine/transformer/distribution.h"

#include <algorithm>
#include <cmath>

namespace mneme::engine {
namespace {

// log of the sum of exponentials.
double log_total(std::span<const float> logits) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double total = 0.0;
  for (const float logit : logits) total += std::exp(static_cast<double>(logit) - highest);
  return highest + std::log(total);
}

}  // namespace

DistributionDistance compare_distributions(std::span<const float> p_logits, std::span<const float> q_logits) {
  if (p_logits.empty() || p_logits.size() != q_logits.size()) return {NAN, false};
  const double p_total = log_total(p_logits);
  const double q_total = log_total(q_logits);
  DistributionDistance distance;
  for (size_t i = 0; i < p_logits.size(); ++i) {
    const double p = static_cast<double>(p_logits[i]) - p_total;
    const double q = static_cast<double>(q_logits[i]) - q_total;
    const double weight = std::exp(p);
    if (!(weight == 0.0)) distance.kl += weight * (p - q);
  }
  distance.same_top = std::max_element(p_logits.begin(), p_logits.end()) - p_logits.begin() ==
                      std::max_element(q_logits.begin(), q_logits.end()) - q_logits.begin();
  return distance;
}

double token_log_probability(std::span<const float> logits, TokenId token) {
  if (token < 0 || static_cast<size_t>(token) >= logits.size()) return -INFINITY;
  return static_cast<double>(logits[static_cast<size_t>(token)]) - log_total(logits);
}

}  // namespace mneme::engine
