// Small statistics: medians and bootstrap intervals. Deterministic for equal seeds. Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mneme::app {

struct Spread {
  double median = 0;
  double min = 0;
  double max = 0;
};
// Of at least one value; the median of an even number is the mean of the middle two.
Spread spread_of(std::vector<double> values);

// The p-quantile (0..1) by linear interpolation between the sorted values; 0 for none.
double quantile(std::vector<double> values, double p);

double mean(std::span<const double> values);

struct Interval {
  double low = 0;
  double high = 0;
};

// The p-quantile of the mean's bootstrap distribution: 0.95 gives a one-sided upper bound.
double bootstrap_mean_quantile(std::span<const double> values, double p, uint64_t seed, int resamples = 2000);

// 95 % percentile bootstrap interval of the mean (Efron 1979). Given per-question differences of two systems it is the
// paired interval of their difference.
Interval bootstrap_mean_95(std::span<const double> values, uint64_t seed, int resamples = 2000);

}  // namespace mneme::app
