#include "app/eval/answer_report.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/measure/envelope.h"
#include "app/measure/statistics.h"
#include "app/output/svg_plot.h"
#include "app/output/terminal_text.h"
#include "engine/fusion/selector.h"

namespace mneme::app {
namespace {

using nlohmann::json;
using Records = std::vector<AnswerRecord>;

constexpr uint64_t kBootstrapSeed = 1;
constexpr double kSideBySide = 30;  // width of a mode's name in the text

template <typename Field>
std::vector<double> values_of(const Records& records, const Field& field) {
  std::vector<double> values;
  for (const AnswerRecord& record : records) values.push_back(field(record));
  return values;
}

// Of the records that have it.
std::vector<double> known_values(const Records& records, std::optional<double> AnswerRecord::* field) {
  std::vector<double> values;
  for (const AnswerRecord& record : records) {
    if (record.*field) values.push_back(*(record.*field));
  }
  return values;
}

json mean_or_null(const std::vector<double>& values) {
  return values.empty() ? json(nullptr) : json(mean(values));
}

json interval_json(const std::vector<double>& values) {
  if (values.empty()) return nullptr;
  const Interval interval = bootstrap_mean_95(values, kBootstrapSeed);
  return json::array({interval.low, interval.high});
}

// Of KV that was read and used as it is; null where some of it was computed, or nothing is known.
json bits_per_element(const Records& records) {
  double coded = 0;
  double fp16 = 0;
  for (const AnswerRecord& record : records) {
    if (record.recompute_ratio > 0) return nullptr;
    coded += static_cast<double>(record.bytes_read);
    fp16 += static_cast<double>(record.bytes_fp16);
  }
  return coded > 0 && fp16 > 0 ? json(16.0 * coded / fp16) : json(nullptr);
}

double share(size_t part, size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

json lane_json(const Records& records, const std::vector<bool>& answerable) {
  const std::vector<double> f1 = values_of(records, [](const AnswerRecord& r) { return r.f1; });
  const std::vector<double> ttft = known_values(records, &AnswerRecord::ttft_ms);
  const std::vector<double> stated = known_values(records, &AnswerRecord::stated_right);
  int64_t refused = 0;
  int64_t refused_right = 0;
  int64_t bytes_read = 0;
  for (size_t i = 0; i < records.size(); ++i) {
    refused += records[i].refused ? 1 : 0;
    refused_right += records[i].refused && !answerable[i] ? 1 : 0;
    bytes_read += records[i].bytes_read;
  }
  const auto unanswerable = std::count(answerable.begin(), answerable.end(), false);
  json object = {
      {"n", records.size()},
      {"em", mean_or_null(values_of(records, [](const AnswerRecord& r) { return r.em; }))},
      {"f1", mean_or_null(f1)},
      {"f1_ci95", interval_json(f1)},
      {"contains", mean_or_null(values_of(records, [](const AnswerRecord& r) { return r.contains; }))},
      {"contains_first", mean_or_null(values_of(records, [](const AnswerRecord& r) { return r.contains_first; }))},
      {"rouge_l", mean_or_null(values_of(records, [](const AnswerRecord& r) { return r.rouge_l; }))},
      {"quotes", mean_or_null(known_values(records, &AnswerRecord::quotes))},
      {"cites", mean_or_null(known_values(records, &AnswerRecord::cites))},
      {"stated", stated.empty() ? json(nullptr) : json(share(stated.size(), records.size()))},
      {"stated_right", mean_or_null(stated)},
      {"nll", mean_or_null(known_values(records, &AnswerRecord::nll))},
      {"kl_full", mean_or_null(known_values(records, &AnswerRecord::kl_full))},
      {"recompute_ratio", mean_or_null(values_of(records, [](const AnswerRecord& r) { return r.recompute_ratio; }))},
      {"ttft_ms", ttft.empty() ? json(nullptr) : spread_json(ttft)},
      {"bytes_read", records.empty() ? json(nullptr) : json(bytes_read)},
      {"bits_per_element", bits_per_element(records)},
      {"refused", refused},
      {"no_answer_precision", nullptr},
      {"no_answer_recall", nullptr}};
  if (refused > 0) object["no_answer_precision"] = static_cast<double>(refused_right) / static_cast<double>(refused);
  if (unanswerable > 0) {
    object["no_answer_recall"] = static_cast<double>(refused_right) / static_cast<double>(unanswerable);
  }
  return object;
}

// Of the questions for which both sides have it: other minus full, for what is better when it is small.
json paired_rise(const Records& full, const Records& lane, std::optional<double> AnswerRecord::* field) {
  std::vector<double> rises;
  for (size_t i = 0; i < full.size(); ++i) {
    if (full[i].*field && lane[i].*field) rises.push_back(*(lane[i].*field) - *(full[i].*field));
  }
  if (rises.empty()) return nullptr;
  return {{"mean", mean(rises)}, {"ci95", interval_json(rises)}};
}

// How much a lane loses against full, question by question.
json paired_loss_json(const Records& full, const Records& lane) {
  std::vector<double> losses;
  losses.reserve(full.size());
  for (size_t i = 0; i < full.size(); ++i) losses.push_back(full[i].f1 - lane[i].f1);
  return {{"f1", mean_or_null(losses)},
          {"ci95", interval_json(losses)},
          {"upper95", losses.empty() ? json(nullptr) : json(bootstrap_mean_quantile(losses, 0.95, kBootstrapSeed))},
          {"nll", paired_rise(full, lane, &AnswerRecord::nll)}};
}

json samples_json(const EvalSet& set, const std::vector<EvalLane>& lanes, const EvalAnswerResult& result, int samples) {
  json list = json::array();
  const size_t n = std::min(result.answerable.size(), static_cast<size_t>(std::max(samples, 0)));
  for (size_t i = 0; i < n; ++i) {
    json answers = json::object();
    for (size_t lane = 0; lane < lanes.size(); ++lane) answers[lanes[lane].name] = result.lanes[lane][i].answer;
    list.push_back(
        {{"question", set.questions[i].question}, {"gold", set.questions[i].answers}, {"answers", std::move(answers)}});
  }
  return list;
}

std::string lane_text(const std::string& name, const json& mode) {
  char line[400];
  std::snprintf(line, sizeof line,
                "%-16s EM %.3f  F1 %.3f (%.3f..%.3f)  contains %.3f (first line %.3f)  recomputed %.2f", name.c_str(),
                mode["em"].get<double>(), mode["f1"].get<double>(), mode["f1_ci95"][0].get<double>(),
                mode["f1_ci95"][1].get<double>(), mode["contains"].get<double>(), mode["contains_first"].get<double>(),
                mode["recompute_ratio"].get<double>());
  std::string text = line;
  const auto add = [&](const char* format, const json& value) {
    if (!value.is_number()) return;
    std::snprintf(line, sizeof line, format, value.get<double>());
    text += line;
  };
  add("  quotes %.3f", mode["quotes"]);
  add(" (with its number %.3f)", mode["cites"]);
  add("  stated %.3f", mode["stated"]);
  add(" (right %.3f)", mode["stated_right"]);
  add("  nll %.3f", mode["nll"]);
  add("  KL %.4f", mode["kl_full"]);
  if (mode["ttft_ms"].is_object()) add("  first token %.0f ms", mode["ttft_ms"]["median"]);
  return text + "\n";
}

}  // namespace

json answer_report(const EvalSet& set, const std::vector<EvalLane>& lanes, const EvalAnswerResult& result,
                   int samples) {
  json modes = json::object();
  json losses = json::object();
  const auto full = std::find_if(lanes.begin(), lanes.end(), [](const EvalLane& lane) { return lane.is_full(); });
  for (size_t i = 0; i < lanes.size(); ++i) {
    modes[lanes[i].name] = lane_json(result.lanes[i], result.answerable);
    if (full == lanes.end() || lanes[i].is_full()) continue;
    losses[lanes[i].name] = paired_loss_json(result.lanes[static_cast<size_t>(full - lanes.begin())], result.lanes[i]);
  }
  json report = {{"set", set.name},
                 {"questions", result.answerable.size()},
                 {"unanswerable", result.unanswerable()},
                 {"modes", std::move(modes)},
                 {"paired_loss", std::move(losses)},
                 {"interrupted", result.interrupted},
                 {"notes", result.notes},
                 {"build", build_json()}};
  if (samples > 0) report["samples"] = samples_json(set, lanes, result, samples);
  return report;
}

std::string answer_report_text(const json& report) {
  std::string text = report["set"].get<std::string>() + ", " + report["questions"].dump() + " questions\n";
  if (report["questions"] == 0) return text + "no question was finished, so there is nothing to say of them\n";
  for (const auto& [name, mode] : report["modes"].items()) text += lane_text(name, mode);
  for (const auto& [name, loss] : report["paired_loss"].items()) {
    char line[160];
    std::snprintf(line, sizeof line, "%-16s loses %.4f F1 against full (%.4f..%.4f)\n", name.c_str(),
                  loss["f1"].get<double>(), loss["ci95"][0].get<double>(), loss["ci95"][1].get<double>());
    text += line;
  }
  if (!report.contains("samples")) return text;
  for (const json& sample : report["samples"]) {
    text += "\n" + terminal_line(sample["question"].get<std::string>()) + "\n";
    for (const auto& [name, answer] : sample["answers"].items()) {
      std::string label = "  " + name;
      label.resize(std::max(label.size() + 1, static_cast<size_t>(kSideBySide)), ' ');
      text += label + terminal_line(answer.get<std::string>()) + "\n";
    }
  }
  return text;
}

namespace {

// Nothing repaired is reuse and everything repaired is the full prefill, whatever chooses: a curve without these ends
// takes them over.
void add_ends(std::vector<std::pair<double, double>>& points, std::optional<double> reuse, std::optional<double> full) {
  std::sort(points.begin(), points.end());
  if (reuse && points.front().first > 0.0) points.insert(points.begin(), {0.0, *reuse});
  if (full && points.back().first < 1.0) points.emplace_back(1.0, *full);
}

}  // namespace

std::string quality_curve_svg(const std::string& set_name, const std::vector<EvalLane>& lanes,
                              const EvalAnswerResult& result) {
  std::map<std::string, std::vector<std::pair<double, double>>> curves;
  std::vector<PlotSeries> levels;
  std::optional<double> reuse, full;
  for (size_t i = 0; i < lanes.size(); ++i) {
    const double f1 = mean(values_of(result.lanes[i], [](const AnswerRecord& r) { return r.f1; }));
    if (lanes[i].is_full()) full = f1;
    if (lanes[i].reuses() && lanes[i].mode == rag::AnswerMode::kReuse) reuse = f1;
    if (lanes[i].mode == rag::AnswerMode::kBlend && lanes[i].recompute_ratio) {
      const std::string selector =
          lanes[i].selector.empty() ? std::string(engine::default_selector().name) : lanes[i].selector;
      curves[selector].emplace_back(*lanes[i].recompute_ratio, f1);
    } else {
      levels.push_back({lanes[i].name, {{0.0, f1}, {1.0, f1}}, /*dashed=*/true});
    }
  }
  Plot plot{.title = "Answer quality by share recomputed: " + set_name,
            .x_label = "share of passage tokens recomputed",
            .y_label = "F1",
            .log_x = false,
            .series = {}};
  for (auto& [selector, points] : curves) {
    add_ends(points, reuse, full);
    plot.series.push_back({selector, std::move(points), /*dashed=*/false});
  }
  for (PlotSeries& level : levels) plot.series.push_back(std::move(level));
  return svg_plot(plot);
}

}  // namespace mneme::app
