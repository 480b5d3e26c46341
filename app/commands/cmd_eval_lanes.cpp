// Which ways to answer `mneme eval` sets side by side: every mode, share, selector, codec and retrieval asked for.
#include <cstdio>
#include <optional>

#include "app/commands/cmd_eval.h"
#include "app/eval/retrieval_perplexity.h"
#include "engine/fusion/selector.h"

namespace mneme::app {
namespace {

std::string ratio_name(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", ratio);
  return text;
}

// One lane for each number of first layers in full: "blend+2".
void add_lanes_by_depth(const EvalArguments& arguments, const EvalLane& lane, std::vector<EvalLane>& lanes) {
  if (arguments.full_layers.empty()) lanes.push_back(lane);
  for (const int depth : arguments.full_layers) {
    lanes.push_back(lane);
    lanes.back().full_layers = depth;
    if (arguments.full_layers.size() > 1) lanes.back().name += "+" + std::to_string(depth);
  }
}

// One lane for each share and selector that blending is asked for.
Status add_blend_lanes(const EvalArguments& arguments, std::vector<EvalLane>& lanes) {
  const std::vector<std::string> selectors =
      arguments.selectors.empty() ? std::vector<std::string>{""} : arguments.selectors;
  std::vector<std::optional<double>> ratios(arguments.recompute.begin(), arguments.recompute.end());
  if (ratios.empty()) ratios.push_back(std::nullopt);
  for (const std::string& selector : selectors) {
    if (!selector.empty() && !engine::selector_by_name(selector)) {
      return usage_error("there is no selector " + selector + "; `mneme ask --help` lists them.");
    }
    for (const std::optional<double>& ratio : ratios) {
      if (ratio && (*ratio < 0 || *ratio > 1)) {
        return usage_error("--recompute takes shares from 0 to 1, not " + ratio_name(*ratio) + ".");
      }
      std::string name = selectors.size() > 1 ? selector : "blend";
      if (ratios.size() > 1 || selectors.size() > 1) name += ratio ? "@" + ratio_name(*ratio) : "";
      EvalLane lane;
      lane.name = name;
      lane.mode = rag::AnswerMode::kBlend;
      lane.recompute_ratio = ratio;
      lane.selector = selector;
      add_lanes_by_depth(arguments, lane, lanes);
    }
  }
  return {};
}

// The full prompt decoded under every retrieval method and budget: "pq@0.1".
Status add_retrieval_lanes(const EvalArguments& arguments, std::vector<EvalLane>& lanes) {
  if (arguments.attention.kind == "full") return {};
  MNEME_ASSIGN_OR_RETURN(const engine::RetrievalOptions base,
                         retrieval_options({.kind = arguments.attention.kind,
                                            .budget = "",
                                            .n_parts = arguments.attention.n_parts,
                                            .n_bits = arguments.attention.n_bits}));
  MNEME_ASSIGN_OR_RETURN(const std::vector<PerplexityLane> decoded,
                         perplexity_lanes(arguments.methods, arguments.attention.budget, base));
  for (const PerplexityLane& one : decoded) {
    EvalLane lane;
    lane.name = one.method + "@" + (one.budget.empty() ? "default" : one.budget);
    lane.retrieval = one.options;
    lane.retrieval.check = false;
    lanes.push_back(std::move(lane));
  }
  return {};
}

// Every passage through every codec, without a store: "uniform8", "transform:low".
void add_codec_lanes(const std::vector<KvCodecChoice>& codecs, std::vector<EvalLane>& lanes) {
  for (size_t i = 0; i < codecs.size(); ++i) {
    EvalLane lane;
    lane.name = kv_codec_label(codecs[i]);
    lane.mode = rag::AnswerMode::kReuse;
    lane.codec = i;
    lanes.push_back(std::move(lane));
  }
}

}  // namespace

Result<std::vector<EvalLane>> eval_lanes(const EvalArguments& arguments, const std::vector<KvCodecChoice>& codecs) {
  std::vector<EvalLane> lanes;
  for (const std::string& name : arguments.modes) {
    EvalLane lane{
        .name = name, .kind = LaneKind::kOnePrompt, .mode = std::nullopt, .recompute_ratio = {}, .selector = {}};
    if (name == "map-rerank" || name == "map-reduce") {
      lane.kind = name == "map-rerank" ? LaneKind::kMapRerank : LaneKind::kMapReduce;
      lane.mode = rag::AnswerMode::kFull;
    } else if (name != "auto") {
      const Result<rag::AnswerMode> mode = rag::parse_answer_mode(name);
      if (!mode.ok()) {
        return usage_error("there is no mode " + name +
                           " to evaluate; there are full, prefix, reuse, blend, auto, map-rerank and map-reduce.");
      }
      lane.mode = *mode;
    }
    if (lane.mode == rag::AnswerMode::kBlend) {
      MNEME_RETURN_IF_ERROR(add_blend_lanes(arguments, lanes));
    } else {
      lanes.push_back(std::move(lane));
    }
  }
  add_codec_lanes(codecs, lanes);
  if (lanes.empty()) return usage_error("there is no mode to run; give --modes full,blend.");
  MNEME_RETURN_IF_ERROR(add_retrieval_lanes(arguments, lanes));
  return lanes;
}

}  // namespace mneme::app
