#include "app/insight/fusion_insight.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/insight/attention_rows.h"
#include "base/random.h"
#include "engine/fusion/row_scores.h"

namespace mneme::app {
namespace {

constexpr uint64_t kSeed = 1;

// The tokens of the passages in the order in which a selection repairs them.
std::vector<int> by_deviation(const std::vector<float>& deviation) {
  std::vector<int> order(deviation.size());
  std::iota(order.begin(), order.end(), 0);
  // Equal ones in order of place.
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const float left = deviation[static_cast<size_t>(a)];
    const float right = deviation[static_cast<size_t>(b)];
    return left != right ? left > right : a < b;
  });
  return order;
}

std::vector<int> by_chance(int n) {
  std::vector<int> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  Random random(kSeed);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

// Beginnings before ends, passage by passage; the first passage, which is right as it is, last.
std::vector<int> by_beginning(const TextShape& shape) {
  std::vector<int> order;
  for (int offset = 0; offset < shape.passage_tokens; ++offset) {
    for (int passage = 1; passage < shape.n_passages; ++passage)
      order.push_back(passage * shape.passage_tokens + offset);
  }
  for (int offset = 0; offset < shape.passage_tokens; ++offset) order.push_back(offset);
  return order;
}

struct Selection {
  std::string name;
  std::vector<int> order;
};

struct Sum {
  double attention = 0;
  double output = 0;
  double n = 0;
};

// One layer under one repair: which positions come from the whole text.
class RepairedLayer {
 public:
  RepairedLayer(const TextTrace& trace, int layer, const LayerTrace& full, const LayerTrace& reused)
      : trace_(trace),
        layer_(layer),
        full_keys_(widened(full.rotated)),
        full_values_(widened(full.values)),
        reused_keys_(with_question(reused.rotated, full_keys_)),
        reused_values_(with_question(reused.values, full_values_)) {}

  // Adds the distances of every query head of every row, for each of the repairs.
  void add(const std::vector<std::vector<char>>& repairs, std::vector<Sum>& sums) {
    const engine::ModelConfig& config = trace_.config();
    for (int row = 0; row < trace_.shape().n_queries; ++row) {
      for (int head = 0; head < config.n_heads; ++head) add_head(row, head, repairs, sums);
    }
  }

 private:
  // The question's own rows are always computed.
  static std::vector<float> with_question(std::span<const f16> reused, const std::vector<float>& full) {
    std::vector<float> rows = widened(reused);
    rows.insert(rows.end(), full.begin() + static_cast<std::ptrdiff_t>(rows.size()), full.end());
    return rows;
  }

  void add_head(int row, int head, const std::vector<std::vector<char>>& repairs, std::vector<Sum>& sums) {
    const engine::ModelConfig& config = trace_.config();
    const auto head_dim = static_cast<size_t>(config.head_dim);
    const size_t at = (static_cast<size_t>(row) * static_cast<size_t>(config.n_heads) + static_cast<size_t>(head));
    const std::span<const float> query = trace_.queries(layer_).subspan(at * head_dim, head_dim);
    const Visible seen = visible_to(config, layer_, trace_.first_query() + row);
    full_scores_.resize(static_cast<size_t>(seen.size()));
    reused_scores_.resize(full_scores_.size());
    head_scores(config, query, head, full_keys_, seen, full_scores_);
    head_scores(config, query, head, reused_keys_, seen, reused_scores_);
    std::vector<float> weights = full_scores_;
    softmax(weights);
    std::vector<float> output(head_dim);
    add_weighted_values(config, weights, head, full_values_, seen, output);
    for (size_t i = 0; i < repairs.size(); ++i) add_repair(head, seen, weights, output, repairs[i], sums[i]);
  }

  void add_repair(int head, Visible seen, const std::vector<float>& full_weights, const std::vector<float>& full_output,
                  const std::vector<char>& repaired, Sum& sum) {
    const engine::ModelConfig& config = trace_.config();
    std::vector<float> weights(full_scores_.size());
    for (size_t i = 0; i < weights.size(); ++i) {
      weights[i] = is_repaired(repaired, seen.begin + static_cast<int>(i)) ? full_scores_[i] : reused_scores_[i];
    }
    softmax(weights);
    double distance = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
      distance += (weights[i] - full_weights[i]) * (weights[i] - full_weights[i]);
    }
    // Weights on repaired positions meet the whole text's values, the others the reused ones.
    std::vector<float> kept(weights.size()), fresh(weights.size());
    for (size_t i = 0; i < weights.size(); ++i) {
      (is_repaired(repaired, seen.begin + static_cast<int>(i)) ? fresh : kept)[i] = weights[i];
    }
    std::vector<float> output(full_output.size());
    add_weighted_values(config, kept, head, reused_values_, seen, output);
    add_weighted_values(config, fresh, head, full_values_, seen, output);
    double error = 0;
    double norm = 0;
    for (size_t d = 0; d < output.size(); ++d) {
      error += (output[d] - full_output[d]) * (output[d] - full_output[d]);
      norm += full_output[d] * full_output[d];
    }
    sum.attention += std::sqrt(distance);
    sum.output += norm > 0 ? std::sqrt(error / norm) : 0.0;
    sum.n += 1;
  }

  bool is_repaired(const std::vector<char>& repaired, int position) const {
    const int token = position - trace_.n_prefix();
    return token >= 0 && static_cast<size_t>(token) < repaired.size() && repaired[static_cast<size_t>(token)] != 0;
  }

  const TextTrace& trace_;
  const int layer_;
  const std::vector<float> full_keys_, full_values_, reused_keys_, reused_values_;
  std::vector<float> full_scores_, reused_scores_;
};

// One for each selection and share: 1 for the tokens that are repaired.
std::vector<std::vector<char>> repairs_of(const std::vector<Selection>& selections, std::span<const double> shares,
                                          int n_tokens) {
  std::vector<std::vector<char>> repairs;
  for (const Selection& selection : selections) {
    for (const double share : shares) {
      std::vector<char>& repaired = repairs.emplace_back(static_cast<size_t>(n_tokens));
      const auto n = static_cast<size_t>(std::lround(share * n_tokens));
      for (size_t i = 0; i < std::min(n, selection.order.size()); ++i) {
        repaired[static_cast<size_t>(selection.order[i])] = 1;
      }
    }
  }
  return repairs;
}

}  // namespace

Result<std::vector<std::vector<float>>> kv_deviations(const TextTrace& trace) {
  const engine::ModelConfig& config = trace.config();
  const auto skipped = static_cast<size_t>(trace.n_prefix()) * static_cast<size_t>(config.kv_dim());
  const auto wanted = static_cast<size_t>(trace.shape().n_context()) * static_cast<size_t>(config.kv_dim());
  const auto passages = [&](const std::vector<f16>& rows) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(skipped);
    return std::vector<f16>(begin, begin + static_cast<std::ptrdiff_t>(wanted));
  };
  std::vector<std::vector<float>> layers;
  for (int layer = 0; layer < config.n_layers; ++layer) {
    MNEME_ASSIGN_OR_RETURN(const LayerTrace full, trace.full(layer));
    MNEME_ASSIGN_OR_RETURN(const LayerTrace reused, trace.reused(layer));
    layers.push_back(engine::kv_deviation({passages(reused.keys), passages(reused.values)},
                                          {passages(full.keys), passages(full.values)}, trace.shape().n_context()));
    // What is no number cannot be ranked.
    for (float& deviation : layers.back()) deviation = std::isfinite(deviation) ? std::sqrt(deviation) : 0.0f;
  }
  return layers;
}

Result<std::vector<RepairPoint>> repair_curves(const TextTrace& trace, std::span<const double> shares) {
  const int n_tokens = trace.shape().n_context();
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::vector<float>> deviations, kv_deviations(trace));
  std::vector<Selection> selections = {
      {"deviation", {}}, {"first", by_beginning(trace.shape())}, {"random", by_chance(n_tokens)}};
  std::vector<Sum> sums(selections.size() * shares.size());
  for (int layer = 0; layer < trace.config().n_layers; ++layer) {
    selections.front().order = by_deviation(deviations[static_cast<size_t>(layer)]);
    MNEME_ASSIGN_OR_RETURN(const LayerTrace full, trace.full(layer));
    MNEME_ASSIGN_OR_RETURN(const LayerTrace reused, trace.reused(layer));
    RepairedLayer(trace, layer, full, reused).add(repairs_of(selections, shares, n_tokens), sums);
  }
  std::vector<RepairPoint> points;
  points.reserve(sums.size());
  for (size_t i = 0; i < sums.size(); ++i) {
    points.push_back({.selection = selections[i / shares.size()].name,
                      .share = shares[i % shares.size()],
                      .attention = sums[i].attention / sums[i].n,
                      .output_error = sums[i].output / sums[i].n});
  }
  return points;
}

}  // namespace mneme::app
