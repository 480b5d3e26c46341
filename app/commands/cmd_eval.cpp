// mneme eval: answer quality and time per mode, or retrieval quality, over a question set.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/bench/envelope.h"
#include "app/commands/answer_options.h"
#include "app/commands/commands.h"
#include "app/context.h"
#include "app/eval/answer_report.h"
#include "app/eval/eval_answers.h"
#include "app/eval/eval_citations.h"
#include "app/eval/eval_refusing.h"
#include "app/eval/eval_retrieval.h"
#include "app/eval/eval_set.h"
#include "app/eval/retrieval_perplexity.h"
#include "app/output/progress.h"
#include "app/output/result_file.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "engine/fusion/selector.h"
#include "rag/workspace.h"
#include "storage/env/file_env.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr int kMaxChunks = 10000;
constexpr int kMaxQuestions = 1 << 30;

struct EvalArguments {
  std::string set;
  std::string format = "auto";
  std::string split = "all";
  std::vector<std::string> modes{"full"};
  std::vector<double> recompute;
  std::string kv_level = "medium";
  std::vector<std::string> kv_codecs;
  int chunks = 0;
  int limit = 0;
  int max_tokens = 32;
  uint64_t seed = 1;
  bool retrieval = false;
  bool citations = false;
  bool refusing = false;
  std::string documents;
  std::vector<std::string> selectors;
  std::string results_file;
  std::string plot_file;
  std::string evidence_file;
  std::string rerank_by;
  int samples = 0;
  AttentionArguments attention{.kind = "full"};
  std::vector<std::string> methods{"pq"};
};

bool is_in_split(const EvalArguments& arguments, const EvalQuestion& question) {
  return arguments.split == "all" || is_test_title(split_title(question)) == (arguments.split == "test");
}

Result<EvalSet> load_set(const EvalArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(const EvalFormat format, parse_eval_format(arguments.format));
  MNEME_ASSIGN_OR_RETURN(EvalSet set, load_eval_set(arguments.set, format));
  // A search chooses among the paragraphs of the whole set, whichever questions are asked (searched_corpus).
  if (arguments.retrieval || arguments.refusing) return set;
  std::erase_if(set.questions, [&](const EvalQuestion& question) { return !is_in_split(arguments, question); });
  return set;
}

// Questions to run; the corpus still comes from the whole set, so that a limit makes nothing easier.
void apply_limit(int limit, EvalSet& set, EvalCorpus& corpus) {
  if (limit <= 0 || set.questions.size() <= static_cast<size_t>(limit)) return;
  set.questions.resize(static_cast<size_t>(limit));
  corpus.relevant.resize(static_cast<size_t>(limit));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string ratio_name(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", ratio);
  return text;
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
      lanes.push_back({.name = name,
                       .kind = LaneKind::kOnePrompt,
                       .mode = rag::AnswerMode::kBlend,
                       .recompute_ratio = ratio,
                       .selector = selector});
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

Result<std::vector<EvalLane>> lanes_of(const EvalArguments& arguments, const std::vector<KvCodecChoice>& codecs) {
  std::vector<EvalLane> lanes;
  for (const std::string& name : arguments.modes) {
    EvalLane lane{
        .name = name, .kind = LaneKind::kOnePrompt, .mode = std::nullopt, .recompute_ratio = {}, .selector = {}};
    if (name == "map-rerank" || name == "map-reduce") {
      lane.kind = name == "map-rerank" ? LaneKind::kMapRerank : LaneKind::kMapReduce;
      lane.mode = rag::AnswerMode::kFull;
    } else if (name != "auto") {
      MNEME_ASSIGN_OR_RETURN(lane.mode, rag::parse_answer_mode(name));
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

// What decides the records of a run: those of another must not be mixed with them.
json run_identity(const Context& context, const EvalArguments& arguments, const EvalSet& set,
                  const rag::Workspace& workspace) {
  json identity = {{"eval", set.name},
                   {"split", arguments.split},
                   {"modes", arguments.modes},
                   {"chunks", arguments.chunks},
                   {"recompute", arguments.recompute},
                   {"selectors", arguments.selectors},
                   {"seed", arguments.seed},
                   {"level", arguments.kv_level},
                   {"attention",
                    {arguments.attention.kind, arguments.attention.budget, arguments.attention.n_parts,
                     arguments.attention.n_bits, arguments.methods}},
                   {"max_tokens", arguments.max_tokens},
                   {"model", workspace.model_name()},
                   {"device", context.options.device}};
  // Only where it is used, so that records of runs without it stay good.
  if (!arguments.kv_codecs.empty()) identity["kv_codecs"] = arguments.kv_codecs;
  return identity;
}

Result<ExitCode> run_answers(Context& context, const EvalArguments& arguments, EvalSet set) {
  EvalCorpus corpus = corpus_of(set);
  apply_limit(arguments.limit, set, corpus);
  EvalAnswerOptions options;
  MNEME_ASSIGN_OR_RETURN(options.codecs, parse_kv_codecs(arguments.kv_codecs));
  MNEME_ASSIGN_OR_RETURN(options.lanes, lanes_of(arguments, options.codecs));
  options.kv_level = arguments.kv_level;
  options.n_chunks = arguments.chunks;
  options.max_tokens = arguments.max_tokens;
  options.seed = arguments.seed;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace, open_workspace(context));
  if (workspace->model_name() == "none") {
    context.output.note("note: there is no language model; this measures quoting.");
  }
  options.samples = arguments.samples;
  MNEME_ASSIGN_OR_RETURN(ResultFile kept,
                         ResultFile::open(arguments.results_file, run_identity(context, arguments, set, *workspace)));
  Result<EvalAnswerResult> result = [&] {
    Progress bar(context.output, "questions");
    return evaluate_answers(
        *workspace, set, corpus, options, kept, [&](size_t i) { bar.update(i + 1, set.questions.size(), ""); },
        context.cancel);
  }();
  if (!result.ok()) return result.status();
  for (const std::string& note : result->notes) context.output.note("note: " + terminal_line(note));
  if (!arguments.plot_file.empty()) {
    const std::string svg = quality_curve_svg(set.name, options.lanes, *result);
    MNEME_RETURN_IF_ERROR(storage::write_atomically(storage::FileEnv::posix(), arguments.plot_file, as_bytes(svg)));
  }
  const json report =
      with_machine(answer_report(set, options.lanes, *result, options.samples), context.options.threads);
  if (context.output.json()) {
    context.output.print_json(report);
  } else {
    context.output.print(answer_report_text(report));
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

// All documents, of which only the split's questions are asked.
EvalCorpus searched_corpus(const EvalArguments& arguments, EvalSet& set) {
  EvalCorpus corpus = corpus_of(set);
  for (size_t i = 0; i < set.questions.size(); ++i) {
    if (!is_in_split(arguments, set.questions[i])) corpus.relevant[i].clear();  // not asked
  }
  apply_limit(arguments.limit, set, corpus);
  return corpus;
}

Result<ExitCode> run_retrieval(Context& context, const EvalArguments& arguments, EvalSet set) {
  const EvalCorpus corpus = searched_corpus(arguments, set);
  Result<RetrievalResult> result = [&] {
    Progress bar(context.output, "searches");
    return evaluate_retrieval(context, set, corpus,
                              {arguments.rerank_by, arguments.evidence_file,
                               [&](uint64_t done, uint64_t total) { bar.update(done, total, ""); }});
  }();
  if (!result.ok()) return result.status();
  if (context.output.json()) {
    context.output.print_json(with_machine({{"set", set.name},
                                            {"questions", result->questions},
                                            {"documents", result->documents},
                                            {"methods", methods_json(*result)}},
                                           context.options.threads));
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

json share_json(int64_t part, int64_t whole) {
  return whole > 0 ? json(static_cast<double>(part) / static_cast<double>(whole)) : json(nullptr);
}

Result<ExitCode> run_refusing(Context& context, const EvalArguments& arguments, EvalSet set) {
  const EvalCorpus corpus = searched_corpus(arguments, set);
  const Result<RefusingResult> result = [&] {
    Progress bar(context.output, "questions");
    return evaluate_refusing(context, set, corpus,
                             {arguments.documents, arguments.evidence_file,
                              [&](uint64_t done, uint64_t total) { bar.update(done, total, ""); }});
  }();
  if (!result.ok()) return result.status();
  const int64_t wrongly_answered = result->answered_absent - result->answered_elsewhere;
  if (context.output.json()) {
    context.output.print_json(
        with_machine({{"set", set.name},
                      {"questions", result->questions},
                      {"refused_answerable", share_json(result->refused_answerable, result->questions)},
                      {"absent", result->absent},
                      {"answered_absent", share_json(wrongly_answered, result->absent)},
                      {"answered_elsewhere", share_json(result->answered_elsewhere, result->absent)}},
                     context.options.threads));
    return ExitCode::kDone;
  }
  const auto line = [](const char* what, int64_t part, int64_t whole) {
    char text[120];
    const double share = whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
    std::snprintf(text, sizeof text, "%-42s %5lld of %5lld  %.3f\n", what, static_cast<long long>(part),
                  static_cast<long long>(whole), share);
    return std::string(text);
  };
  context.output.print(line("refused, though the documents answer", result->refused_answerable, result->questions) +
                       line("answered, though they do not", wrongly_answered, result->absent) +
                       line("answered from other documents that do", result->answered_elsewhere, result->absent));
  return ExitCode::kDone;
}

json counts_json(const CitationCounts& counts) {
  return {{"n", counts.right},
          {"caught", share_json(counts.caught, counts.planted)},
          {"flagged", share_json(counts.flagged, counts.right)}};
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
  const json report =
      with_machine({{"set", set.name},
                    {"citations", {{"sentence", counts_json(scores.sentence)}, {"bare", counts_json(scores.bare)}}},
                    {"interrupted", scores.interrupted}},
                   context.options.threads);
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
  if (arguments.refusing) return run_refusing(context, arguments, std::move(set));
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
  command.list("--modes M,M", arguments->modes,
               "full, prefix, reuse, blend, auto (blend where the model was measured to bear it), map-rerank, "
               "map-reduce (passage by passage)");
  command.list("--recompute R,R", arguments->recompute, "Shares of tokens that blend repairs");
  command.list("--selectors S,S", arguments->selectors,
               "How blend chooses them, each measured: " + joined(selector_names()));
  add_kv_level_option(command, arguments->kv_level);
  command.list("--kv-codecs C,C", arguments->kv_codecs,
               "Also answer through passages coded by each, nothing stored: all, uniform8, transform:low, ...");
  command.integer("--chunks N", arguments->chunks, 0, kMaxChunks, "Pad with distractors to N passages; 0: as they are");
  command.integer("--limit N", arguments->limit, 0, kMaxQuestions, "Only the first N questions; 0: all");
  command.integer("--max-tokens N", arguments->max_tokens, 1, kMaxQuestions, "Longest answer");
  command.seed("--seed S", arguments->seed, "Of the distractors");
  command.option("--results FILE", arguments->results_file,
                 "Keep the questions' records there, and go on where it was stopped");
  add_rerank_by_option(command, arguments->rerank_by);
  command.option("--evidence FILE", arguments->evidence_file,
                 "With --retrieval or --refusing: write what decided, to fit the weights by");
  command.flag("--refusing", arguments->refusing,
               "Measure by quoting how often an answer is refused, and given where the documents hold none");
  command.option("--documents DIR", arguments->documents,
                 "With --refusing: ask these, which answer none of the questions, instead of the set's own");
  command.option("--plot FILE", arguments->plot_file, "Write quality against the share recomputed as SVG");
  command.integer("--samples N", arguments->samples, 0, kMaxQuestions, "Show the answers to the first N questions");
  add_attention_options(command, arguments->attention);
  add_pq_method_option(command, arguments->methods, "With --attention pq: each decoded with at each budget");
  command.flag("--retrieval", arguments->retrieval, "Measure retrieval instead of answers");
  command.flag("--citations", arguments->citations, "Measure the citation check with planted wrong numbers instead");
  command.action([arguments](Context& context) { return run_eval(context, *arguments); });
}

}  // namespace mneme::app
