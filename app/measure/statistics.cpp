#include "app/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace mneme::app {

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double quantile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = std::clamp(p, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(std::floor(place));
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
}

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double min = *low;
  const double max = *high;
  return {.median = quantile(std::move(values), 0.5), .min = min, .max = max};
}

namespace {

// Means of as many values drawn with replacement.
std::vector<double> resampled_means(std::span<const double> values, uint64_t seed, int resamples) {
  Random random(seed);
  std::vector<double> means(static_cast<size_t>(resamples));
  for (double& one : means) {
    double sum = 0;
    for (size_t i = 0; i < values.size(); ++i) sum += values[random.below(values.size())];
    one = sum / static_cast<double>(values.size());
  }
  return means;
}

}  // namespace

double bootstrap_mean_quantile(std::span<const double> values, double p, uint64_t seed, int resamples) {
  return values.empty() ? 0.0 : quantile(resampled_means(values, seed, resamples), p);
}

Interval bootstrap_mean_95(std::span<const double> values, uint64_t seed, int resamples) {
  if (values.empty()) return {};
  const std::vector<double> means = resampled_means(values, seed, resamples);
  return {.low = quantile(means, 0.025), .high = quantile(means, 0.975)};
}

}  // namespace mneme::app
