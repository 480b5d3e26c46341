#include "engine/fusion/selector.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace mneme::engine {
namespace {

constexpr int kBoundaryTokens = 16;

constexpr std::array kSelectors{
    Selector{.name = "focus",
             .rank = RankBy::kQuestion,
             .look_depth = 0.75,
             .look_scored = 0.125,
             .look_rows = 4,
             .whole_words = true,
             .take_before = 1,
             .in_place_last = true,
             .depth = 0.75},
    Selector{.name = "boundary", .rank = RankBy::kPosition},
    Selector{.name = "hkvd", .rank = RankBy::kDeviation, .gradual = true},
    Selector{.name = "hkvd-one-layer", .rank = RankBy::kDeviation},
    Selector{.name = "query", .rank = RankBy::kQuestion},
    Selector{.name = "random", .rank = RankBy::kRandom},
    Selector{.name = "boundary+hkvd",
             .rank = RankBy::kDeviation,
             .boundary_share = 0.5,
             .boundary_tokens = kBoundaryTokens,
             .gradual = true},
    Selector{
        .name = "boundary+query", .rank = RankBy::kQuestion, .boundary_share = 0.5, .boundary_tokens = kBoundaryTokens},
    Selector{
        .name = "boundary+random", .rank = RankBy::kRandom, .boundary_share = 0.5, .boundary_tokens = kBoundaryTokens},
};

// Gradual filtering: the share on the layers after the check layer, relative to the target.
constexpr std::array kGradualExcess{1.5, 1.25, 1.1};
constexpr int kCheckLayer = 1;

int guaranteed_tokens(const Selector& selector, const Candidate& c, double ratio) {
  if (c.chunk == 0) return 0;  // it stands behind the prefix it was computed behind
  const int share = static_cast<int>(std::ceil(selector.boundary_share * ratio * c.chunk_tokens));
  return std::min(selector.boundary_tokens, share);
}

struct Rank {
  int order;    // lower goes first
  float score;  // then higher
};

Rank rank_of(const Selector& selector, const Candidate& c, double ratio) {
  if (c.offset < guaranteed_tokens(selector, c, ratio)) return {0, 0.0f};
  if (selector.rank == RankBy::kPosition) {
    return {1, -static_cast<float>(c.offset) / static_cast<float>(c.chunk_tokens)};
  }
  const int order = selector.in_place_last && c.in_place ? 2 : 1;
  return {order, std::isnan(c.score) ? -INFINITY : c.score};
}

// All of the share on the first layers, as far as their rows go; what is left over on those behind them.
std::vector<double> shares_by_depth(const Selector& selector, int n_layers, double ratio) {
  std::vector<double> shares(static_cast<size_t>(n_layers), ratio);
  const int n_deep = std::clamp(static_cast<int>(std::lround(selector.depth * n_layers)), 1, n_layers);
  const double first = std::min(1.0, ratio * n_layers / n_deep);
  const double rest = n_deep < n_layers ? std::max(0.0, ratio * n_layers - first * n_deep) / (n_layers - n_deep) : 0.0;
  for (int layer = 0; layer < n_layers; ++layer) shares[static_cast<size_t>(layer)] = layer < n_deep ? first : rest;
  return shares;
}

}  // namespace

std::span<const Selector> selectors() {
  return kSelectors;
}

std::optional<Selector> selector_by_name(std::string_view name) {
  for (const Selector& selector : kSelectors) {
    if (selector.name == name) return selector;
  }
  return std::nullopt;
}

const Selector& default_selector() {
  return kSelectors[0];
}

bool looks_first(const Selector& selector, double ratio) {
  return selector.rank == RankBy::kQuestion && ratio > 0.0 && ratio < 1.0;
}

LookLayers look_layers(const Selector& selector, int n_layers) {
  const auto layers = [&](double share) {
    return std::clamp(static_cast<int>(std::lround(share * n_layers)), 1, n_layers);
  };
  const int end = layers(selector.look_depth);
  return {std::max(0, end - layers(selector.look_scored)), end};
}

std::vector<double> layer_shares(const Selector& selector, int n_layers, double ratio, int n_full) {
  ratio = std::clamp(ratio, 0.0, 1.0);
  const bool checks = selector.rank == RankBy::kDeviation && ratio > 0.0 && ratio < 1.0;
  std::vector<double> shares = shares_by_depth(selector, n_layers, ratio);
  std::fill_n(shares.begin(), std::clamp(n_full, 0, n_layers), 1.0);
  if (!checks) return shares;
  const int check_layer = std::max(kCheckLayer, n_full);
  for (int layer = 0; layer < n_layers; ++layer) {
    double& share = shares[static_cast<size_t>(layer)];
    const int after_check = layer - check_layer - 1;
    if (layer <= check_layer) {
      share = 1.0;
    } else if (selector.gradual && after_check < static_cast<int>(kGradualExcess.size())) {
      share = std::min(1.0, ratio * kGradualExcess[static_cast<size_t>(after_check)]);
    }
  }
  return shares;
}

std::vector<int> choose_rows(const Selector& selector, std::span<const Candidate> candidates, int budget,
                             double ratio) {
  std::vector<int> order(candidates.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<Rank> ranks;
  ranks.reserve(candidates.size());
  for (const Candidate& c : candidates) ranks.push_back(rank_of(selector, c, ratio));
  const auto goes_first = [&](int a, int b) {
    const Rank& x = ranks[static_cast<size_t>(a)];
    const Rank& y = ranks[static_cast<size_t>(b)];
    if (x.order != y.order) return x.order < y.order;
    if (x.score != y.score) return x.score > y.score;
    return a < b;
  };
  const size_t n = std::min(order.size(), static_cast<size_t>(std::max(budget, 0)));
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n), order.end(), goes_first);
  order.resize(n);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace mneme::engine
