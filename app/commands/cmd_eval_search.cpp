// mneme eval --retrieval and --refusing: whether passages are found, and whether an answer that is not there is
// refused.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "app/commands/cmd_eval.h"
#include "app/eval/eval_refusing.h"
#include "app/eval/eval_retrieval.h"
#include "app/eval/shared_corpus.h"
#include "app/measure/envelope.h"
#include "app/output/progress.h"
#include "app/output/result_file.h"
#include "base/hash.h"
#include "storage/env/file_env.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr uint64_t kMostPassageBytes = uint64_t{1} << 30;

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

// Of the files as they are now.
Result<std::vector<std::string>> contents_of(const std::vector<std::string>& paths) {
  std::vector<std::string> contents;
  for (const std::string& path : paths) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes,
                           storage::read_whole(storage::FileEnv::posix(), path, kMostPassageBytes));
    contents.push_back(xxh3_128(bytes).hex());
  }
  return contents;
}

// What --results keeps of a run over this set, which another run must not be mixed with.
Result<ResultFile> kept_file(Context& context, const EvalArguments& arguments, const char* measures, const EvalSet& set,
                             size_t n_documents) {
  if (!arguments.results_file.empty() && !arguments.evidence_file.empty()) {
    return usage_error(
        "--evidence is written by a run in one piece, and --results goes on with a part of one; give one "
        "of the two.");
  }
  if (arguments.results_file.empty()) return ResultFile::open("", {});
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> contents, contents_of(arguments.among));
  Result<ResultFile> kept = ResultFile::open(arguments.results_file, {{"eval", set.name},
                                                                      {"content", set.content},
                                                                      {"measures", measures},
                                                                      {"questions", set.questions.size()},
                                                                      {"documents", n_documents},
                                                                      {"split", arguments.split},
                                                                      {"asked", arguments.documents},
                                                                      {"among", arguments.among},
                                                                      {"among_contents", contents},
                                                                      {"by_passage", arguments.by_passage},
                                                                      {"embedder", context.options.embedder},
                                                                      {"rerank_by", arguments.rerank_by}});
  if (kept.ok()) note_kept(context.output, *kept);
  return kept;
}

// The set, and what `--among` puts into the same index: sets that are asked too, and passages that answer nothing.
Result<SharedCorpus> everything_searched(const EvalArguments& arguments, EvalSet set) {
  SharedCorpus shared;
  EvalCorpus corpus = searched_corpus(arguments, set);
  shared.add(std::move(set), std::move(corpus));
  for (const std::string& path : arguments.among) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes,
                           storage::read_whole(storage::FileEnv::posix(), path, kMostPassageBytes));
    Result<std::vector<EvalContext>> passages = parse_passages(as_text(bytes), path);
    if (passages.ok()) {
      shared.add(*std::move(passages));
      continue;
    }
    if (passages.status().code() != StatusCode::kNotFound) return passages.status();
    MNEME_ASSIGN_OR_RETURN(EvalSet other, load_eval_set(path, EvalFormat::kAuto));
    EvalCorpus of_other = searched_corpus(arguments, other);
    shared.add(std::move(other), std::move(of_other));
  }
  return shared;
}

void print_retrieval(Output& output, const RetrievalResult& result, size_t n_documents) {
  output.print(result.set + ", " + std::to_string(result.questions) + " questions over " + std::to_string(n_documents) +
               " documents\n");
  for (const RetrievalScores& scores : result.methods) {
    char line[200];
    std::snprintf(line, sizeof line, "%-13s recall@1 %.3f  @5 %.3f  @10 %.3f  MRR %.3f  p50 %.1f ms  p95 %.1f ms\n",
                  scores.method.c_str(), scores.recall_at_1, scores.recall_at_5, scores.recall_at_10, scores.mrr,
                  scores.p50_ms, scores.p95_ms);
    output.print(line);
  }
}

}  // namespace

Result<ExitCode> eval_by_search(Context& context, const EvalArguments& arguments, EvalSet set) {
  MNEME_ASSIGN_OR_RETURN(const SharedCorpus corpus, everything_searched(arguments, std::move(set)));
  MNEME_ASSIGN_OR_RETURN(ResultFile kept, kept_file(context, arguments, "retrieval", corpus.asked().front().set,
                                                    corpus.documents().size()));
  const Result<std::vector<RetrievalResult>> results = [&] {
    Progress bar(context.output, "searches");
    return evaluate_retrieval(context, corpus,
                              {.rerank_by = arguments.rerank_by,
                               .evidence_file = arguments.evidence_file,
                               .by_passage = arguments.by_passage,
                               .progress = [&](uint64_t done, uint64_t total) { bar.update(done, total, ""); },
                               .kept = &kept});
  }();
  if (!results.ok()) return results.status();
  if (!context.output.json()) {
    for (const RetrievalResult& result : *results) print_retrieval(context.output, result, corpus.documents().size());
    return ExitCode::kDone;
  }
  json among = json::array();
  for (const RetrievalResult& result : std::span(*results).subspan(1)) {
    among.push_back({{"set", result.set}, {"questions", result.questions}, {"methods", methods_json(result)}});
  }
  const RetrievalResult& first = results->front();
  context.output.print_json(with_machine({{"set", first.set},
                                          {"questions", first.questions},
                                          {"documents", corpus.documents().size()},
                                          {"methods", methods_json(first)},
                                          {"among", among}},
                                         context.options.threads));
  return ExitCode::kDone;
}

Result<ExitCode> eval_refusing(Context& context, const EvalArguments& arguments, EvalSet set) {
  const EvalCorpus corpus = searched_corpus(arguments, set);
  MNEME_ASSIGN_OR_RETURN(ResultFile kept, kept_file(context, arguments, "refusing", set, corpus.documents.size()));
  const Result<RefusingResult> result = [&] {
    Progress bar(context.output, "questions");
    return evaluate_refusing(context, set, corpus,
                             {arguments.documents, arguments.evidence_file,
                              [&](uint64_t done, uint64_t total) { bar.update(done, total, ""); }, &kept});
  }();
  if (!result.ok()) return result.status();
  const int64_t wrongly_answered = result->answered_absent - result->answered_elsewhere;
  if (context.output.json()) {
    context.output.print_json(
        with_machine({{"set", set.name},
                      {"questions", result->questions},
                      {"refused_answerable", share_json(result->refused_answerable, result->questions)},
                      {"first_right", share_json(result->first_right, result->questions)},
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
                       line("first quotation holds the answer", result->first_right, result->questions) +
                       line("answered, though they do not", wrongly_answered, result->absent) +
                       line("answered from other documents that do", result->answered_elsewhere, result->absent));
  return ExitCode::kDone;
}

}  // namespace mneme::app
