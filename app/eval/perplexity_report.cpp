#include "app/eval/perplexity_report.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace mneme::app {
namespace {

using nlohmann::json;

json codec_json(const LevelPerplexity& measured, const KvCodecChoice& choice, const LevelScore& score) {
  const double exact = measured.perplexity(measured.exact());
  const double perplexity = measured.perplexity(score);
  const Interval increase = measured.increase_95(score);
  return {{"codec", choice.codec},
          {"level", choice.codec.starts_with("uniform") ? json(nullptr) : json(engine::kv_level_name(choice.level))},
          {"bits_per_element", 8.0 * static_cast<double>(score.encoded_bytes) / static_cast<double>(score.elements)},
          {"ratio", 2.0 * static_cast<double>(score.elements) / static_cast<double>(score.encoded_bytes)},
          {"perplexity", perplexity},
          {"perplexity_exact", exact},
          {"increase", perplexity / exact - 1},
          {"increase_ci95", {increase.low, increase.high}}};
}

json lane_json(const PerplexityLane& lane, const RetrievalScore& score, const RetrievalWindow& sum,
               const Interval& loss) {
  const auto per_step = [&](double total) {
    return score.steps > 0 ? json(total / static_cast<double>(score.steps)) : json(nullptr);
  };
  const auto tokens = static_cast<double>(sum.tokens);
  return {{"method", lane.method},
          {"budget", lane.budget},
          {"m", lane.options.n_parts},
          {"b", lane.options.n_bits},
          {"perplexity", std::exp(score.nll / tokens)},
          {"loss", std::expm1((score.nll - sum.full_nll) / tokens)},
          {"loss_ci95", {loss.low, loss.high}},
          {"kl", score.kl / tokens},
          {"steps", score.steps},
          {"attended", per_step(score.attended)},
          {"recall", per_step(score.recall)},
          {"mass", per_step(score.mass)}};
}

}  // namespace

json level_report(const LevelPerplexity& measured, const std::vector<KvCodecChoice>& choices, int window) {
  json levels = json::array();
  for (size_t i = 0; i < choices.size(); ++i) {
    levels.push_back(codec_json(measured, choices[i], measured.scores()[i]));
  }
  const double perplexity =
      choices.size() == 1 ? levels[0]["perplexity"].get<double>() : measured.perplexity(measured.exact());
  return {{"perplexity", perplexity}, {"tokens", measured.tokens()}, {"window", window}, {"kv", std::move(levels)}};
}

std::string level_report_text(const json& report, const std::vector<KvCodecChoice>& choices) {
  std::string text;
  for (size_t i = 0; i < choices.size(); ++i) {
    const json& own = report["kv"][i];
    char line[240];
    std::snprintf(line, sizeof line, "%-26s %6.3f bits  %5.2fx  perplexity %.4f (%+.3f %%, 95 %%: %+.3f to %+.3f)\n",
                  kv_codec_label(choices[i]).c_str(), own["bits_per_element"].get<double>(), own["ratio"].get<double>(),
                  own["perplexity"].get<double>(), 100 * own["increase"].get<double>(),
                  100 * own["increase_ci95"][0].get<double>(), 100 * own["increase_ci95"][1].get<double>());
    text += line;
  }
  return text;
}

json retrieval_report(std::span<const RetrievalWindow> windows, std::span<const PerplexityLane> lanes, int window) {
  const RetrievalWindow sum = sum_of(windows);
  json list = json::array();
  for (size_t i = 0; i < lanes.size(); ++i) {
    list.push_back(lane_json(lanes[i], sum.lanes[i], sum, loss_95(windows, i)));
  }
  return {{"perplexity", list.front()["perplexity"]},
          {"perplexity_full", std::exp(sum.full_nll / static_cast<double>(sum.tokens))},
          {"tokens", sum.tokens},
          {"window", window},
          {"lanes", std::move(list)}};
}

std::string retrieval_report_text(const json& report) {
  std::string text = "full perplexity " + report["perplexity_full"].dump() + " over the " + report["tokens"].dump() +
                     " tokens of second halves of windows of " + report["window"].dump() + "\n";
  for (const json& lane : report["lanes"]) {
    char line[256];
    std::snprintf(line, sizeof line, "%-8s %-8s perplexity %.4f (%+.2f %%, 95 %%: %+.2f to %+.2f)  KL %.5f",
                  lane["method"].get<std::string>().c_str(), lane["budget"].get<std::string>().c_str(),
                  lane["perplexity"].get<double>(), 100 * lane["loss"].get<double>(),
                  100 * lane["loss_ci95"][0].get<double>(), 100 * lane["loss_ci95"][1].get<double>(),
                  lane["kl"].get<double>());
    text += line;
    if (!lane["mass"].is_null()) {
      std::snprintf(line, sizeof line, "  mass %.4f  recall %.4f  attended %.0f", lane["mass"].get<double>(),
                    lane["recall"].get<double>(), lane["attended"].get<double>());
      text += line;
    }
    text += "\n";
  }
  return text;
}

}  // namespace mneme::app
