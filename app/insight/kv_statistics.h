// Statistics of keys, values and attention weights that the papers' designs rest on: rank correlation and concentration
// of deviations (CacheBlend, figures 7 and 8), differences of neighbouring tokens and entropy by grouping (CacheGen,
// figures 3 and 5), the fall of attention weights with rank (PQCache, figure 5). They know no model. Threads: pure
// functions; objects have one owner.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/f16.h"

namespace mneme::app {

// Spearman's rank correlation of two equally long lists, equal values sharing their mean rank; 0 where a list is
// constant or has fewer than two values.
double rank_correlation(std::span<const float> a, std::span<const float> b);

// What the largest `share` (0 to 1) of the values hold of their sum; values >= 0. 0 for a sum of 0.
double share_of_largest(std::span<const float> values, double share);

// Shannon entropy in bits of the distribution with these counts, corrected for few samples (Miller 1955: the plain
// estimate is too small by (symbols - 1) / 2n). 0 for no samples.
double entropy_bits(std::span<const uint32_t> counts);

// How numbers and their differences along the tokens spread. Variances are means of squares about the mean.
struct DeltaStatistics {
  double variance = 0;            // of all numbers, about their common mean
  double channel_variance = 0;    // about the mean of each channel
  double neighbour_variance = 0;  // of a number less that of the token before
  double anchor_variance = 0;     // of a number less that of the first token of its group
};
// rows: (n_tokens, width), row-major; groups of `group` tokens (CacheGen: 10). Nothing for fewer than two tokens.
DeltaStatistics delta_statistics(std::span<const f16> rows, int width, int group);

// log(weight) = a - exponent * log(rank) by least squares over the ranks given, and how well it fits.
struct PowerLaw {
  double exponent = 0;
  double r_squared = 0;
};
// ranks from 1, weights > 0; others are left out. Zeros for fewer than two points.
PowerLaw fit_power_law(std::span<const double> ranks, std::span<const double> weights);

// The mean entropy of quantised numbers when each group has a distribution of its own. Numbers come layer by layer.
class GroupedEntropy {
 public:
  // step: width of a bin, the same for all; numbers beyond 127 bins count as the last one.
  GroupedEntropy(int n_layers, int n_tokens, int width, double step);

  // rows: (n_tokens, width) of one layer. Each layer once.
  void add_layer(int layer, std::span<const f16> rows);

  // Bits per number after all layers.
  struct Bits {
    double none = 0;  // one distribution for everything
    double token = 0;
    double channel = 0;
    double layer = 0;
    double layer_and_channel = 0;
  };
  Bits bits() const;

 private:
  static constexpr size_t kBins = 255;
  using Histogram = std::array<uint32_t, kBins>;
  static double mean_bits(std::span<const Histogram> groups);

  const size_t width_;
  const double step_;
  std::vector<Histogram> all_, tokens_, channels_, layers_, layer_channels_;
};

}  // namespace mneme::app
