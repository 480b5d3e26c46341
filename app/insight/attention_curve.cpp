#include "app/insight/attention_curve.h"

#include <algorithm>
#include <functional>

#include "app/insight/attention_rows.h"

namespace mneme::app {
namespace {

// Adds one row's weights, heaviest first, to the sums of the curve.
void add_sorted(const std::vector<float>& weights, AttentionCurve& sums) {
  double mass = 0;
  size_t next = 0;
  const size_t tenth = std::max<size_t>(1, weights.size() / 10);
  const size_t fifth = std::max<size_t>(1, weights.size() / 5);
  for (size_t i = 0; i < weights.size(); ++i) {
    mass += weights[i];
    if (i + 1 == tenth) sums.top_tenth += mass;
    if (i + 1 == fifth) sums.top_fifth += mass;
    if (next < sums.ranks.size() && static_cast<double>(i + 1) == sums.ranks[next]) {
      sums.weights[next] += weights[i];
      sums.mass[next] += mass;
      ++next;
    }
  }
}

void divide(AttentionCurve& sums, double n) {
  for (double& weight : sums.weights) weight /= n;
  for (double& mass : sums.mass) mass /= n;
  sums.top_tenth /= n;
  sums.top_fifth /= n;
}

}  // namespace

Result<AttentionCurve> attention_curve(const TextTrace& trace, int layer) {
  const engine::ModelConfig& config = trace.config();
  MNEME_ASSIGN_OR_RETURN(const LayerTrace full, trace.full(layer));
  const std::vector<float> keys = widened(full.rotated);
  const auto head_dim = static_cast<size_t>(config.head_dim);
  AttentionCurve curve;
  const int least = visible_to(config, layer, trace.first_query()).size();
  for (int rank = 1; rank <= least; rank *= 2) curve.ranks.push_back(rank);
  curve.weights.resize(curve.ranks.size());
  curve.mass.resize(curve.ranks.size());
  std::vector<float> weights;
  for (int row = 0; row < trace.shape().n_queries; ++row) {
    const Visible seen = visible_to(config, layer, trace.first_query() + row);
    for (int head = 0; head < config.n_heads; ++head) {
      const size_t at = static_cast<size_t>(row) * static_cast<size_t>(config.n_heads) + static_cast<size_t>(head);
      weights.resize(static_cast<size_t>(seen.size()));
      head_scores(config, trace.queries(layer).subspan(at * head_dim, head_dim), head, keys, seen, weights);
      softmax(weights);
      std::sort(weights.begin(), weights.end(), std::greater<>());
      add_sorted(weights, curve);
    }
  }
  divide(curve, static_cast<double>(trace.shape().n_queries) * config.n_heads);
  curve.law = fit_power_law(curve.ranks, curve.weights);
  return curve;
}

}  // namespace mneme::app
