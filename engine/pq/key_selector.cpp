#include "engine/pq/key_selector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mneme::engine {
namespace {

constexpr int kReadKeys = 256;  // read at a time

float dot(const float* a, const float* b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void SelectScratch::count_reaching(const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) const {
  if (by_cells) return cells.count_reaching(thresholds, counts);
  kernels.count(combined.data(), n_candidates, thresholds, counts);
}

bool SelectScratch::count_near(int16_t guess) {
  if (!by_cells) return false;
  near.first = NearCounts::first_near(guess);
  near.n_all = n_candidates;
  cells.count_near(near.first, near.reaching);
  return true;
}

std::unique_ptr<KeySelector> make_key_selector(const RetrievalOptions& options, const KeySelectorShape& shape,
                                               const PqKernels& kernels) {
  if (options.method == RetrievalMethod::kPq) return make_pq_selector(options, shape, kernels);
  return make_baseline_selector(options, shape);
}

void exact_weights(const KeyQuery& query, int head_dim, const KeyReader& reader, std::vector<float>& weights) {
  const int n = query.end - query.begin;
  weights.assign(static_cast<size_t>(n), 0.0f);
  std::vector<float> logits(static_cast<size_t>(n) * static_cast<size_t>(query.n_heads));
  std::vector<float> keys(static_cast<size_t>(kReadKeys) * static_cast<size_t>(head_dim));
  for (int first = 0; first < n; first += kReadKeys) {
    const int count = std::min(kReadKeys, n - first);
    reader.read_keys(query.layer, query.kv_head, query.begin + first, count, 1, {}, keys.data());
    for (int h = 0; h < query.n_heads; ++h)
      for (int i = 0; i < count; ++i)
        logits[static_cast<size_t>(h) * static_cast<size_t>(n) + static_cast<size_t>(first + i)] =
            query.scale *
            dot(query.queries.data() + int64_t{h} * head_dim, keys.data() + int64_t{i} * head_dim, head_dim);
  }
  for (int h = 0; h < query.n_heads; ++h) {
    float* row = logits.data() + int64_t{h} * n;
    const float largest = *std::max_element(row, row + n);
    double total = 0;
    for (int i = 0; i < n; ++i) total += row[i] = std::exp(row[i] - largest);
    for (int i = 0; i < n; ++i) weights[static_cast<size_t>(i)] += static_cast<float>(row[i] / total);
  }
}

std::vector<TokenPos> largest_weights(std::span<const float> weights, int k, TokenPos first) {
  std::vector<TokenPos> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  const auto end = order.begin() + std::min<std::ptrdiff_t>(k, static_cast<std::ptrdiff_t>(order.size()));
  if (end != order.end()) {
    std::nth_element(order.begin(), end, order.end(), [&](TokenPos a, TokenPos b) {
      const float x = weights[static_cast<size_t>(a)];
      const float y = weights[static_cast<size_t>(b)];
      return x != y ? x > y : a < b;
    });
  }
  order.erase(end, order.end());
  std::sort(order.begin(), order.end());
  for (TokenPos& position : order) position += first;
  return order;
}

}  // namespace mneme::engine
