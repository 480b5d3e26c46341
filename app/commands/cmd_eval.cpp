// mneme eval: answer quality and time per mode, or retrieval quality, over a question set.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/bench/envelope.h"
#include "app/commands/answer_options.h"
#include "app/commands/commands.h"
#include "app/context.h"
#include "app/eval/eval_answers.h"
#include "app/eval/eval_citations.h"
#include "app/eval/eval_retrieval.h"
#include "app/eval/eval_set.h"
#include "app/output/progress.h"
#include "app/session.h"
#include "rag/workspace.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr int kMaxChunks = 10000;
constexpr int kMaxQuestions = 1 << 30;
constexpr uint64_t kBootstrapSeed = 1;

struct EvalArguments {
  std::string set;
  std::string format = "auto";
  std::string split = "all";
  std::vector<std::string> modes{"full"};
  std::vector<double> recompute;
  std::string kv_level = "medium";
  int chunks = 0;
  int limit = 0;
  int max_tokens = 32;
  uint64_t seed = 1;
  bool retrieval = false;
  bool citations = false;
};

Result<EvalSet> load_set(const EvalArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(const EvalFormat format, parse_eval_format(arguments.format));
  MNEME_ASSIGN_OR_RETURN(EvalSet set, load_eval_set(arguments.set, format));
  if (arguments.split != "all") {
    const bool test = arguments.split == "test";
    std::erase_if(set.questions,
                  [&](const EvalQuestion& question) { return is_test_title(split_title(question)) != test; });
  }
  return set;
}

// Questions to run; the corpus still comes from the whole set, so that a limit makes nothing easier.
void apply_limit(int limit, EvalSet& set, EvalCorpus& corpus) {
  if (limit <= 0 || set.questions.size() <= static_cast<size_t>(limit)) return;
  set.questions.resize(static_cast<size_t>(limit));
  corpus.relevant.resize(static_cast<size_t>(limit));
}

std::string ratio_name(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", ratio);
  return text;
}

Result<std::vector<EvalLane>> lanes_of(const EvalArguments& arguments) {
  std::vector<EvalLane> lanes;
  for (const std::string& name : arguments.modes) {
    MNEME_ASSIGN_OR_RETURN(const rag::AnswerMode mode, rag::parse_answer_mode(name));
    if (mode != rag::AnswerMode::kBlend || arguments.recompute.empty()) {
      lanes.push_back({.name = name, .mode = mode, .recompute_ratio = {}});
      continue;
    }
    for (const double ratio : arguments.recompute) {
      if (ratio < 0 || ratio > 1)
        return usage_error("--recompute takes shares from 0 to 1, not " + ratio_name(ratio) + ".");
      lanes.push_back({.name = arguments.recompute.size() == 1 ? name : name + "@" + ratio_name(ratio),
                       .mode = mode,
                       .recompute_ratio = ratio});
    }
  }
  if (lanes.empty()) return usage_error("there is no mode to run; give --modes full,blend.");
  return lanes;
}

json interval_json(const std::vector<double>& values) {
  const Interval interval = bootstrap_mean_95(values, kBootstrapSeed);
  return json::array({interval.low, interval.high});
}

json lane_json(const LaneScores& scores, int64_t unanswerable) {
  json object = {{"n", scores.f1.size()},
                 {"em", mean(scores.em)},
                 {"f1", mean(scores.f1)},
                 {"f1_ci95", interval_json(scores.f1)},
                 {"contains", mean(scores.contains)},
                 {"contains_first", mean(scores.contains_first)},
                 {"rouge_l", mean(scores.rouge_l)},
                 {"nll", nullptr},
                 {"kl_full", nullptr},
                 {"recompute_ratio", mean(scores.recompute_ratio)},
                 {"ttft_ms", nullptr},
                 {"bytes_read", scores.bytes_read},
                 {"refused", scores.refused},
                 {"no_answer_precision", nullptr},
                 {"no_answer_recall", nullptr}};
  if (!scores.ttft_ms.empty()) object["ttft_ms"] = spread_json(scores.ttft_ms);
  if (scores.refused > 0) object["no_answer_precision"] = scores.refused_right / static_cast<double>(scores.refused);
  if (unanswerable > 0) object["no_answer_recall"] = scores.refused_right / static_cast<double>(unanswerable);
  return object;
}

// How much F1 a lane loses against full, question by question.
json paired_loss_json(const LaneScores& full, const LaneScores& lane) {
  std::vector<double> losses;
  for (size_t i = 0; i < full.f1.size(); ++i) losses.push_back(full.f1[i] - lane.f1[i]);
  return {{"f1", mean(losses)}, {"ci95", interval_json(losses)}};
}

json answers_json(const EvalSet& set, const std::vector<EvalLane>& lanes, const EvalAnswerResult& result) {
  json modes = json::object();
  json losses = json::object();
  const auto full = std::find_if(lanes.begin(), lanes.end(),
                                 [](const EvalLane& lane) { return lane.mode == rag::AnswerMode::kFull; });
  for (size_t i = 0; i < lanes.size(); ++i) {
    modes[lanes[i].name] = lane_json(result.lanes[i], result.unanswerable);
    if (full == lanes.end() || lanes[i].mode == rag::AnswerMode::kFull) continue;
    losses[lanes[i].name] = paired_loss_json(result.lanes[static_cast<size_t>(full - lanes.begin())], result.lanes[i]);
  }
  return {{"set", set.name},
          {"questions", result.lanes.front().f1.size()},
          {"unanswerable", result.unanswerable},
          {"modes", std::move(modes)},
          {"paired_loss", std::move(losses)},
          {"interrupted", result.interrupted},
          {"build", build_json()}};
}

void print_answers(Output& output, const json& report) {
  output.print(report["set"].get<std::string>() + ", " + report["questions"].dump() + " questions\n");
  for (const auto& [name, mode] : report["modes"].items()) {
    char line[256];
    std::snprintf(line, sizeof line,
                  "%-12s EM %.3f  F1 %.3f (%.3f..%.3f)  contains %.3f (first line %.3f)  recomputed %.2f", name.c_str(),
                  mode["em"].get<double>(), mode["f1"].get<double>(), mode["f1_ci95"][0].get<double>(),
                  mode["f1_ci95"][1].get<double>(), mode["contains"].get<double>(),
                  mode["contains_first"].get<double>(), mode["recompute_ratio"].get<double>());
    output.print(line);
    if (mode["ttft_ms"].is_object()) {
      std::snprintf(line, sizeof line, "  first token %.0f ms", mode["ttft_ms"]["median"].get<double>());
      output.print(line);
    }
    output.print("\n");
  }
}

Result<ExitCode> run_answers(Context& context, const EvalArguments& arguments, EvalSet set) {
  EvalCorpus corpus = corpus_of(set);
  apply_limit(arguments.limit, set, corpus);
  EvalAnswerOptions options;
  MNEME_ASSIGN_OR_RETURN(options.lanes, lanes_of(arguments));
  options.kv_level = arguments.kv_level;
  options.n_chunks = arguments.chunks;
  options.max_tokens = arguments.max_tokens;
  options.seed = arguments.seed;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  if (workspace->model_name() == "none") {
    context.output.note("note: there is no language model; this measures quoting.");
  }
  Result<EvalAnswerResult> result = [&] {
    Progress bar(context.output, "questions");
    return evaluate_answers(
        *workspace, set, corpus, options, [&](size_t i) { bar.update(i + 1, set.questions.size(), ""); },
        context.cancel);
  }();
  if (!result.ok()) return result.status();
  const json report = answers_json(set, options.lanes, *result);
  if (context.output.json()) {
    context.output.print_json(report);
  } else {
    print_answers(context.output, report);
  }
  return result->interrupted ? ExitCode::kInterrupted : ExitCode::kDone;
}

json methods_json(const RetrievalResult& result) {
  json methods = json::object();
  for (const RetrievalScores& scores : result.methods) {
    methods[scores.method] = {{"recall_at_1", scores.recall_at_1},
                              {"recall_at_5", scores.recall_at_5},
                              {"recall_at_10", scores.recall_at_10},
                              {"mrr", scores.mrr},
                              {"p50_ms", scores.p50_ms},
                              {"p95_ms", scores.p95_ms}};
  }
  return methods;
}

Result<ExitCode> run_retrieval(Context& context, const EvalArguments& arguments, EvalSet set) {
  EvalCorpus corpus = corpus_of(set);
  apply_limit(arguments.limit, set, corpus);
  Result<RetrievalResult> result = [&] {
    Progress bar(context.output, "searches");
    return evaluate_retrieval(context, set, corpus,
                              [&](uint64_t done, uint64_t total) { bar.update(done, total, ""); });
  }();
  if (!result.ok()) return result.status();
  if (context.output.json()) {
    context.output.print_json({{"set", set.name},
                               {"questions", result->questions},
                               {"documents", result->documents},
                               {"methods", methods_json(*result)},
                               {"build", build_json()}});
    return ExitCode::kDone;
  }
  context.output.print(set.name + ", " + std::to_string(result->questions) + " questions over " +
                       std::to_string(result->documents) + " documents\n");
  for (const RetrievalScores& scores : result->methods) {
    char line[200];
    std::snprintf(line, sizeof line, "%-13s recall@1 %.3f  @5 %.3f  @10 %.3f  MRR %.3f  p50 %.1f ms  p95 %.1f ms\n",
                  scores.method.c_str(), scores.recall_at_1, scores.recall_at_5, scores.recall_at_10, scores.mrr,
                  scores.p50_ms, scores.p95_ms);
    context.output.print(line);
  }
  return ExitCode::kDone;
}

json counts_json(const CitationCounts& counts) {
  const auto share = [](int64_t part, int64_t whole) {
    return whole > 0 ? json(static_cast<double>(part) / static_cast<double>(whole)) : json(nullptr);
  };
  return {{"n", counts.right},
          {"caught", share(counts.caught, counts.planted)},
          {"flagged", share(counts.flagged, counts.right)}};
}

Result<ExitCode> run_citations(Context& context, const EvalArguments& arguments, EvalSet set) {
  EvalCorpus corpus = corpus_of(set);
  apply_limit(arguments.limit, set, corpus);
  const CitationScores scores = [&] {
    Progress bar(context.output, "questions");
    return evaluate_citations(
        set, corpus, arguments.chunks, arguments.seed, [&](size_t i) { bar.update(i + 1, set.questions.size(), ""); },
        context.cancel);
  }();
  const json report = {{"set", set.name},
                       {"citations", {{"sentence", counts_json(scores.sentence)}, {"bare", counts_json(scores.bare)}}},
                       {"interrupted", scores.interrupted},
                       {"build", build_json()}};
  if (context.output.json()) {
    context.output.print_json(report);
  } else {
    for (const auto& [name, counts] : report["citations"].items()) {
      char line[160];
      std::snprintf(line, sizeof line, "%-9s %s answers, wrong numbers caught %.3f, right ones marked %.3f\n",
                    name.c_str(), counts["n"].dump().c_str(),
                    counts["caught"].is_null() ? 0.0 : counts["caught"].get<double>(),
                    counts["flagged"].is_null() ? 0.0 : counts["flagged"].get<double>());
      context.output.print(line);
    }
  }
  return scores.interrupted ? ExitCode::kInterrupted : ExitCode::kDone;
}

Result<ExitCode> run_eval(Context& context, const EvalArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(EvalSet set, load_set(arguments));
  if (set.questions.empty())
    return usage_error(arguments.set + " has no questions in its " + arguments.split + " split.");
  if (arguments.citations) return run_citations(context, arguments, std::move(set));
  if (arguments.retrieval) return run_retrieval(context, arguments, std::move(set));
  return run_answers(context, arguments, std::move(set));
}

}  // namespace

void add_eval(Command root) {
  auto arguments = std::make_shared<EvalArguments>();
  Command command = root.subcommand("eval", "Measure answer quality and time per mode, or retrieval quality");
  command.positional("SET", arguments->set, "A file of questions");
  command.choice("--format", arguments->format, {"auto", "squad", "musique", "longchat", "jsonl"}, "Its format");
  command.choice("--split", arguments->split, {"all", "test", "train"}, "By the hash of the document's title");
  command.list("--modes M,M", arguments->modes, "full, prefix, reuse, blend");
  command.list("--recompute R,R", arguments->recompute, "Shares of tokens that blend repairs");
  add_kv_level_option(command, arguments->kv_level);
  command.integer("--chunks N", arguments->chunks, 0, kMaxChunks, "Pad with distractors to N passages; 0: as they are");
  command.integer("--limit N", arguments->limit, 0, kMaxQuestions, "Only the first N questions; 0: all");
  command.integer("--max-tokens N", arguments->max_tokens, 1, kMaxQuestions, "Longest answer");
  command.seed("--seed S", arguments->seed, "Of the distractors");
  command.flag("--retrieval", arguments->retrieval, "Measure retrieval instead of answers");
  command.flag("--citations", arguments->citations, "Measure the citation check with planted wrong numbers instead");
  command.action([arguments](Context& context) { return run_eval(context, *arguments); });
}

}  // namespace mneme::app
