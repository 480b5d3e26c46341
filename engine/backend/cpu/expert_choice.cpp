#include "engine/backend/cpu/expert_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mneme::engine::cpu {

namespace {

// Places of the n largest values, largest first, ties to the lower place.
void find_best(std::span<const float> values, int n, std::vector<int>& order) {
  order.resize(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + n, order.end(), [&](int a, int b) {
    const float x = values[static_cast<size_t>(a)];
    const float y = values[static_cast<size_t>(b)];
    return x != y ? x > y : a < b;
  });
}

// Sigmoids of the logits, which are weights as they are, or what a softmax divides by the sum that is returned.
float raise(std::span<float> logits, bool sigmoid) {
  if (sigmoid) {
    for (float& p : logits) p = 1.0f / (1.0f + std::exp(-p));
    return 1.0f;
  }
  const float largest = *std::max_element(logits.begin(), logits.end());
  float sum = 0;
  for (float& p : logits) sum += p = std::exp(p - largest);
  return sum;
}

float sum_of_best_two(std::span<const float> values) {
  float best = -std::numeric_limits<float>::infinity();
  float second = best;
  for (const float value : values) {
    second = std::max(second, std::min(best, value));
    best = std::max(best, value);
  }
  return best + second;
}

}  // namespace

// Experts of other groups are worth less than any.
void ExpertChoice::keep_best_groups() {
  const size_t size = worth_.size() / static_cast<size_t>(routing_.n_groups);
  group_worth_.clear();
  for (size_t first = 0; first < worth_.size(); first += size) {
    group_worth_.push_back(sum_of_best_two(std::span(worth_).subspan(first, size)));
  }
  find_best(group_worth_, routing_.n_groups, order_);
  for (size_t i = static_cast<size_t>(routing_.n_groups_used); i < order_.size(); ++i) {
    const auto begin = worth_.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(order_[i]) * size);
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(size), -std::numeric_limits<float>::infinity());
  }
}

std::span<const ExpertChoice::Chosen> ExpertChoice::choose(std::span<float> logits, const float* bias) {
  const float sum = raise(logits, routing_.sigmoid);
  worth_.assign(logits.begin(), logits.end());
  if (bias != nullptr) {
    for (size_t e = 0; e < worth_.size(); ++e) worth_[e] = worth_[e] / sum + bias[e];
  }
  if (routing_.n_groups > 1) keep_best_groups();
  find_best(worth_, n_used_, order_);
  float used = 0;
  for (size_t i = 0; i < static_cast<size_t>(n_used_); ++i) used += logits[static_cast<size_t>(order_[i])];
  // Weights of experts that only the bias chose may all be zero.
  const float divisor = routing_.normalise ? std::max(used, std::numeric_limits<float>::min()) : sum;
  const float scale = routing_.scale / divisor;
  chosen_.clear();
  for (size_t i = 0; i < static_cast<size_t>(n_used_); ++i)
    chosen_.push_back({order_[i], logits[static_cast<size_t>(order_[i])] * scale});
  return chosen_;
}

}  // namespace mneme::engine::cpu
