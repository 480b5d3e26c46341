#include "app/insight/kv_statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace mneme::app {
namespace {

// Ranks from 0, equal values sharing their mean.
std::vector<double> ranks_of(std::span<const float> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = static_cast<double>(begin + end - 1) / 2;
    for (size_t i = begin; i < end; ++i) ranks[order[i]] = rank;
    begin = end;
  }
  return ranks;
}

// Sums over pairs, for correlation and for fitting a line.
struct Moments {
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;

  void add(double a, double b) {
    n += 1;
    x += a;
    y += b;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  double x_spread() const { return xx - x * x / n; }
  double y_spread() const { return yy - y * y / n; }
  double together() const { return xy - x * y / n; }
};

// Running mean of squares about the mean.
struct Variance {
  double n = 0, sum = 0, squares = 0;

  void add(double value) {
    n += 1;
    sum += value;
    squares += value * value;
  }
  double value() const { return n > 0 ? std::max(0.0, squares / n - (sum / n) * (sum / n)) : 0.0; }
};

}  // namespace

double rank_correlation(std::span<const float> a, std::span<const float> b) {
  const size_t n = std::min(a.size(), b.size());
  if (n < 2) return 0;
  const std::vector<double> left = ranks_of(a.first(n));
  const std::vector<double> right = ranks_of(b.first(n));
  Moments moments;
  for (size_t i = 0; i < n; ++i) moments.add(left[i], right[i]);
  const double spread = moments.x_spread() * moments.y_spread();
  return spread > 0 ? moments.together() / std::sqrt(spread) : 0.0;
}

double share_of_largest(std::span<const float> values, double share) {
  std::vector<float> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  if (!(total > 0)) return 0;
  const double wanted = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size());
  const auto n = static_cast<std::ptrdiff_t>(std::ceil(wanted - 1e-9));
  return std::accumulate(sorted.begin(), sorted.begin() + n, 0.0) / total;
}

double entropy_bits(std::span<const uint32_t> counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (!(total > 0)) return 0;
  double bits = 0;
  double symbols = 0;
  for (const uint32_t count : counts) {
    if (count == 0) continue;
    const double p = count / total;
    bits -= p * std::log2(p);
    symbols += 1;
  }
  return bits + (symbols - 1) / (2 * total * std::log(2.0));
}

DeltaStatistics delta_statistics(std::span<const f16> rows, int width, int group) {
  const auto columns = static_cast<size_t>(width);
  const size_t n_tokens = rows.size() / columns;
  if (n_tokens < 2) return {};
  Variance all, neighbours, anchors;
  double channels = 0;
  for (size_t c = 0; c < columns; ++c) {
    Variance own;
    double before = 0;
    double anchor = 0;
    for (size_t t = 0; t < n_tokens; ++t) {
      const double value = to_f32(rows[t * columns + c]);
      const bool is_anchor = t % static_cast<size_t>(group) == 0;
      all.add(value);
      own.add(value);
      if (t > 0) neighbours.add(value - before);
      if (is_anchor) {
        anchor = value;
      } else {
        anchors.add(value - anchor);
      }
      before = value;
    }
    channels += own.value();
  }
  return {.variance = all.value(),
          .channel_variance = channels / width,
          .neighbour_variance = neighbours.value(),
          .anchor_variance = anchors.value()};
}

PowerLaw fit_power_law(std::span<const double> ranks, std::span<const double> weights) {
  Moments moments;
  for (size_t i = 0; i < std::min(ranks.size(), weights.size()); ++i) {
    if (ranks[i] >= 1 && weights[i] > 0) moments.add(std::log(ranks[i]), std::log(weights[i]));
  }
  if (moments.n < 2 || !(moments.x_spread() > 0)) return {};
  const double slope = moments.together() / moments.x_spread();
  const double spread = moments.y_spread();
  return {.exponent = -slope, .r_squared = spread > 0 ? slope * moments.together() / spread : 1.0};
}

GroupedEntropy::GroupedEntropy(int n_layers, int n_tokens, int width, double step)
    : width_(static_cast<size_t>(width)),
      step_(step),
      all_(1),
      tokens_(static_cast<size_t>(n_tokens)),
      channels_(width_),
      layers_(static_cast<size_t>(n_layers)),
      layer_channels_(static_cast<size_t>(n_layers) * width_) {}

void GroupedEntropy::add_layer(int layer, std::span<const f16> rows) {
  constexpr double kReach = (kBins - 1) / 2;
  const auto l = static_cast<size_t>(layer);
  for (size_t i = 0; i < rows.size(); ++i) {
    const double bin = std::clamp(std::nearbyint(to_f32(rows[i]) / step_), -kReach, kReach) + kReach;
    if (!(bin >= 0)) continue;  // NaN is no symbol
    const auto symbol = static_cast<size_t>(bin);
    const size_t channel = i % width_;
    ++all_.front()[symbol];
    ++tokens_[i / width_][symbol];
    ++channels_[channel][symbol];
    ++layers_[l][symbol];
    ++layer_channels_[l * width_ + channel][symbol];
  }
}

double GroupedEntropy::mean_bits(std::span<const Histogram> groups) {
  double sum = 0;
  for (const Histogram& group : groups) sum += entropy_bits(group);
  return groups.empty() ? 0.0 : sum / static_cast<double>(groups.size());
}

GroupedEntropy::Bits GroupedEntropy::bits() const {
  return {.none = mean_bits(all_),
          .token = mean_bits(tokens_),
          .channel = mean_bits(channels_),
          .layer = mean_bits(layers_),
          .layer_and_channel = mean_bits(layer_channels_)};
}

}  // namespace mneme::app
