// bench insight: the properties of keys, values and attention that the design rests on, measured on a model and a text.
// Rows are long: one per layer and point, with "insight" saying of which statistic.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/bench/bench.h"
#include "app/insight/attention_curve.h"
#include "app/insight/fusion_insight.h"
#include "app/insight/kv_statistics.h"
#include "app/insight/layer_sensitivity.h"
#include "app/insight/text_trace.h"
#include "app/output/progress.h"
#include "app/session.h"
#include "app/text_input.h"
#include "rag/kv_reuse/kv_codecs.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxTextBytes = uint64_t{64} << 20;
constexpr int kDefaultPassages = 4;
constexpr int kQueries = 16;     // tokens behind the passages whose attention is looked at
constexpr int kTokenGroup = 10;  // CacheGen's
constexpr int kLayerGroups = 6;
constexpr double kBinsPerDeviation = 8;  // of the quantisation whose entropy is taken
constexpr int kSensitivityTokens = 2048;
// Relative deviations below this are rounding: on the first layer keys and values do not depend on other tokens.
constexpr float kRounding = 0.01f;
constexpr std::array kRoundingSteps{0.5, 1.0, 2.0};
constexpr std::array kShares{0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0};
constexpr std::array kTopShares{0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0};

// What a statistic may look at.
struct Subject {
  engine::LanguageModel& model;
  const TextTrace& trace;
  std::span<const engine::TokenId> ids;  // of the text, without BOS
  const CancelToken& cancel;
};

bool deviates(std::span<const float> layer) {
  return !layer.empty() && *std::max_element(layer.begin(), layer.end()) > kRounding;
}

// How unevenly the deviation is spread over the tokens: the largest first.
Result<json> deviation_rows(const Subject& subject) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::vector<float>> layers, kv_deviations(subject.trace));
  json rows = json::array();
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    std::vector<float> sorted = layers[layer];
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    for (const double share : kTopShares) {
      const auto last = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size()) - 1e-9)) - 1;
      rows.push_back({{"insight", "deviation"},
                      {"layer", layer},
                      {"top_share", share},
                      {"deviation", sorted[last]},
                      {"carried", deviates(sorted) ? json(share_of_largest(sorted, share)) : json(nullptr)}});
    }
  }
  return rows;
}

Result<json> correlation_rows(const Subject& subject) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::vector<float>> layers, kv_deviations(subject.trace));
  // The first passage does not deviate: its equal zeros would count as agreement.
  const auto skipped = static_cast<size_t>(subject.trace.shape().passage_tokens);
  json rows = json::array();
  for (size_t layer = 0; layer + 1 < layers.size(); ++layer) {
    const std::span<const float> own = std::span(layers[layer]).subspan(skipped);
    const std::span<const float> next = std::span(layers[layer + 1]).subspan(skipped);
    rows.push_back(
        {{"insight", "correlation"},
         {"layer", layer},
         {"next_layer", layer + 1},
         {"rank_correlation", deviates(own) && deviates(next) ? json(rank_correlation(own, next)) : json(nullptr)}});
  }
  return rows;
}

Result<json> repair_rows(const Subject& subject) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<RepairPoint> points, repair_curves(subject.trace, kShares));
  json rows = json::array();
  for (const RepairPoint& point : points) {
    rows.push_back({{"insight", "repair"},
                    {"selection", point.selection},
                    {"recompute", point.share},
                    {"attention_deviation", point.attention},
                    {"output_error", point.output_error}});
  }
  return rows;
}

// Keys before and after RoPE, and values, of one layer.
struct Part {
  const char* name;
  std::vector<f16> LayerTrace::* rows;
};
constexpr std::array kParts{Part{"keys", &LayerTrace::keys}, Part{"rotated keys", &LayerTrace::rotated},
                            Part{"values", &LayerTrace::values}};

// BOS apart: its keys are outliers of their own.
std::span<const f16> without_prefix(const TextTrace& trace, const std::vector<f16>& rows) {
  return std::span(rows).subspan(static_cast<size_t>(trace.n_prefix()) * static_cast<size_t>(trace.config().kv_dim()));
}

Result<json> delta_rows(const Subject& subject) {
  const TextTrace& trace = subject.trace;
  json rows = json::array();
  for (int layer = 0; layer < trace.config().n_layers; ++layer) {
    MNEME_ASSIGN_OR_RETURN(const LayerTrace own, trace.full(layer));
    for (const Part& part : kParts) {
      const DeltaStatistics found =
          delta_statistics(without_prefix(trace, own.*part.rows), trace.config().kv_dim(), kTokenGroup);
      const auto ratio = [](double a, double b) { return b > 0 ? json(a / b) : json(nullptr); };
      rows.push_back({{"insight", "delta"},
                      {"layer", layer},
                      {"part", part.name},
                      {"variance", found.variance},
                      {"channel_variance", found.channel_variance},
                      {"neighbour_variance", found.neighbour_variance},
                      {"anchor_variance", found.anchor_variance},
                      {"neighbour_gain", ratio(found.variance, found.neighbour_variance)},
                      {"anchor_gain", ratio(found.variance, found.anchor_variance)},
                      {"channel_gain", ratio(found.variance, found.channel_variance)}});
    }
  }
  return rows;
}

// The deviation of all layers' numbers of a part, about zero.
Result<double> scale_of(const TextTrace& trace, const Part& part) {
  double squares = 0;
  double n = 0;
  for (int layer = 0; layer < trace.config().n_layers; ++layer) {
    MNEME_ASSIGN_OR_RETURN(const LayerTrace own, trace.full(layer));
    for (const f16 value : without_prefix(trace, own.*part.rows)) {
      const double wide = to_f32(value);
      squares += wide * wide;
      n += 1;
    }
  }
  return std::sqrt(squares / std::max(n, 1.0));
}

Result<json> entropy_rows(const Subject& subject) {
  const TextTrace& trace = subject.trace;
  json rows = json::array();
  for (const Part& part : kParts) {
    MNEME_ASSIGN_OR_RETURN(const double scale, scale_of(trace, part));
    if (!(scale > 0)) continue;
    GroupedEntropy entropy(trace.config().n_layers, trace.n_tokens() - trace.n_prefix(), trace.config().kv_dim(),
                           scale / kBinsPerDeviation);
    for (int layer = 0; layer < trace.config().n_layers; ++layer) {
      MNEME_ASSIGN_OR_RETURN(const LayerTrace own, trace.full(layer));
      entropy.add_layer(layer, without_prefix(trace, own.*part.rows));
    }
    const GroupedEntropy::Bits bits = entropy.bits();
    const std::pair<const char*, double> groupings[] = {{"none", bits.none},
                                                        {"token", bits.token},
                                                        {"channel", bits.channel},
                                                        {"layer", bits.layer},
                                                        {"layer and channel", bits.layer_and_channel}};
    for (const auto& [grouping, value] : groupings) {
      rows.push_back({{"insight", "entropy"}, {"part", part.name}, {"grouping", grouping}, {"bits", value}});
    }
  }
  return rows;
}

Result<json> sensitivity_rows(const Subject& subject) {
  const int window = std::min(subject.trace.shape().passage_tokens, 512);
  const auto ids = subject.ids.first(std::min<size_t>(subject.ids.size(), kSensitivityTokens));
  MNEME_ASSIGN_OR_RETURN(const std::vector<LayerSensitivity> groups,
                         layer_sensitivity(subject.model, ids, window, kLayerGroups, kRoundingSteps, subject.cancel));
  json rows = json::array();
  for (const LayerSensitivity& group : groups) {
    const bool is_all = group.n_layers == subject.model.config().n_layers;
    rows.push_back({{"insight", "sensitivity"},
                    {"layers", is_all ? "all"
                                      : std::to_string(group.first_layer) + "-" +
                                            std::to_string(group.first_layer + group.n_layers - 1)},
                    {"step", group.step},
                    {"perplexity", group.perplexity},
                    {"increase", group.increase}});
  }
  return rows;
}

Result<json> attention_rows(const Subject& subject) {
  json rows = json::array();
  for (int layer = 0; layer < subject.trace.config().n_layers; ++layer) {
    MNEME_ASSIGN_OR_RETURN(const AttentionCurve curve, attention_curve(subject.trace, layer));
    for (size_t i = 0; i < curve.ranks.size(); ++i) {
      rows.push_back({{"insight", "attention"},
                      {"layer", layer},
                      {"rank", curve.ranks[i]},
                      {"weight", curve.weights[i]},
                      {"mass", curve.mass[i]}});
    }
    rows.push_back({{"insight", "attention-layer"},
                    {"layer", layer},
                    {"top_tenth", curve.top_tenth},
                    {"top_fifth", curve.top_fifth},
                    {"exponent", curve.law.exponent},
                    {"r_squared", curve.law.r_squared}});
  }
  return rows;
}

struct Statistic {
  const char* name;
  Result<json> (*measure)(const Subject&);
};
constexpr std::array kStatistics{Statistic{"deviation", deviation_rows}, Statistic{"correlation", correlation_rows},
                                 Statistic{"repair", repair_rows},       Statistic{"delta", delta_rows},
                                 Statistic{"entropy", entropy_rows},     Statistic{"sensitivity", sensitivity_rows},
                                 Statistic{"attention", attention_rows}};

Result<std::vector<Statistic>> chosen_statistics(const std::vector<std::string>& names) {
  if (names.empty()) return std::vector<Statistic>(kStatistics.begin(), kStatistics.end());
  std::vector<Statistic> chosen;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(kStatistics.begin(), kStatistics.end(), [&](const Statistic& one) { return one.name == name; });
    if (found == kStatistics.end()) {
      return usage_error("there is no insight " + name +
                         "; there are deviation, correlation, repair, delta, entropy, sensitivity and attention.");
    }
    chosen.push_back(*found);
  }
  return chosen;
}

Result<std::string> text_of(const BenchOptions& options) {
  if (!options.path.empty()) return read_text_file(options.path, kMaxTextBytes);
  std::string text;
  for (const std::string& passage : rag::calibration_passages()) text += passage + "\n";
  return text;
}

}  // namespace

Result<json> bench_insight(Context& context, const BenchOptions& options) {
  if (!options.shape.empty()) {
    return usage_error("keys and values of random weights show nothing; give a --model instead of --shape.");
  }
  MNEME_ASSIGN_OR_RETURN(const std::vector<Statistic> statistics, chosen_statistics(options.insights));
  MNEME_ASSIGN_OR_RETURN(const std::string text, text_of(options));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::LanguageModel> model, open_model(context));
  const std::vector<engine::TokenId> ids = model->tokenizer().encode(text);
  const TextShape shape{
      .n_passages = options.n_chunks(kDefaultPassages), .passage_tokens = options.chunk_tokens, .n_queries = kQueries};
  MNEME_ASSIGN_OR_RETURN(const TextTrace trace, TextTrace::make(*model, ids, shape, context.cancel));
  const Subject subject{*model, trace, ids, context.cancel};
  Progress bar(context.output, "insights");
  json results = json::array();
  for (size_t i = 0; i < statistics.size(); ++i) {
    if (context.cancel.cancelled()) return cancelled();
    bar.update(i, statistics.size(), statistics[i].name);
    MNEME_ASSIGN_OR_RETURN(json rows, statistics[i].measure(subject));
    for (json& row : rows) results.push_back(std::move(row));
  }
  return results;
}

}  // namespace mneme::app
