#include "app/eval/eval_retrieval.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/eval/eval_home.h"
#include "app/eval/evidence_file.h"
#include "app/eval/statistics.h"
#include "app/output/result_file.h"
#include "base/stopwatch.h"
#include "rag/retrieval/reranker.h"
#include "rag/workspace.h"

namespace mneme::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDepth = 10;
constexpr int kPassages = 30;  // asked for, since several may come from one document

// The documents of the hits, each once, best first.
std::vector<int> ranked_documents(const std::vector<rag::Hit>& hits) {
  std::vector<int> documents;
  for (const rag::Hit& hit : hits) {
    const int number = EvalHome::number_of(hit.document);
    if (std::find(documents.begin(), documents.end(), number) == documents.end()) documents.push_back(number);
  }
  return documents;
}

double recall_at(size_t k, const std::vector<int>& ranked, const std::vector<int>& relevant) {
  const auto end = ranked.begin() + static_cast<ptrdiff_t>(std::min(k, ranked.size()));
  double found = 0;
  for (const int document : relevant) found += std::find(ranked.begin(), end, document) != end ? 1 : 0;
  return found / static_cast<double>(relevant.size());
}

double reciprocal_rank(const std::vector<int>& ranked, const std::vector<int>& relevant) {
  for (size_t i = 0; i < ranked.size() && i < kDepth; ++i) {
    if (std::find(relevant.begin(), relevant.end(), ranked[i]) != relevant.end())
      return 1.0 / static_cast<double>(i + 1);
  }
  return 0;
}

// One way of searching that is measured.
struct Method {
  std::string_view name;
  rag::SearchMethod search;
  bool rerank;
  bool by_model = false;
};
constexpr Method kMethods[] = {{"lexical", rag::SearchMethod::kLexical, false},
                               {"dense", rag::SearchMethod::kDense, false},
                               {"hybrid", rag::SearchMethod::kHybrid, false},
                               {"hybrid_rerank", rag::SearchMethod::kHybrid, true},
                               {"hybrid_rerank_model", rag::SearchMethod::kHybrid, true, true}};

Result<RetrievalScores> score_method(Context& context, rag::Workspace& workspace, const EvalSet& set,
                                     const EvalCorpus& corpus, const Method& method, EvidenceFile* evidence,
                                     rag::Reranker* reranker, const std::function<void()>& each) {
  rag::SearchOptions options;
  options.method = method.search;
  options.rerank = method.rerank;
  options.top_k = kPassages;
  options.explain = evidence != nullptr;
  options.reranker = reranker;
  rag::Retriever retriever(workspace);
  std::vector<double> milliseconds;
  RetrievalScores scores{.method = std::string(method.name)};
  double questions = 0;
  // The first search opens what is opened at first use.
  MNEME_RETURN_IF_ERROR(retriever.search("warm", options, context.cancel).status());
  for (size_t i = 0; i < set.questions.size(); ++i) {
    if (corpus.relevant[i].empty()) continue;
    const Clock::time_point start = Clock::now();
    const Result<rag::SearchResult> found = retriever.search(set.questions[i].question, options, context.cancel);
    if (!found.ok()) return found.status();
    if (context.cancel.cancelled()) return cancelled();
    milliseconds.push_back(milliseconds_since(start));
    if (evidence != nullptr) {
      const std::vector<int>& relevant = corpus.relevant[i];
      MNEME_RETURN_IF_ERROR(evidence->add(
          split_title(set.questions[i]), set.questions[i].question, found->considered, [&](const std::string& path) {
            return std::find(relevant.begin(), relevant.end(), EvalHome::number_of(path)) != relevant.end();
          }));
    }
    const std::vector<int> ranked = ranked_documents(found->hits);
    scores.recall_at_1 += recall_at(1, ranked, corpus.relevant[i]);
    scores.recall_at_5 += recall_at(5, ranked, corpus.relevant[i]);
    scores.recall_at_10 += recall_at(10, ranked, corpus.relevant[i]);
    scores.mrr += reciprocal_rank(ranked, corpus.relevant[i]);
    ++questions;
    each();
  }
  for (double* sum : {&scores.recall_at_1, &scores.recall_at_5, &scores.recall_at_10, &scores.mrr}) {
    *sum = questions > 0 ? *sum / questions : 0;
  }
  scores.p50_ms = quantile(milliseconds, 0.5);
  scores.p95_ms = quantile(milliseconds, 0.95);
  return scores;
}

// As known_scores() reads them.
nlohmann::json kept_json(const RetrievalScores& scores) {
  return nlohmann::json::array(
      {scores.recall_at_1, scores.recall_at_5, scores.recall_at_10, scores.mrr, scores.p50_ms, scores.p95_ms});
}

std::optional<RetrievalScores> known_scores(const ResultFile* kept, const Method& method) {
  const nlohmann::json* const known = kept == nullptr ? nullptr : kept->find(std::string(method.name));
  RetrievalScores scores{.method = std::string(method.name)};
  const std::array fields{&scores.recall_at_1, &scores.recall_at_5, &scores.recall_at_10,
                          &scores.mrr,         &scores.p50_ms,      &scores.p95_ms};
  if (known == nullptr || !known->is_array() || known->size() != fields.size()) return std::nullopt;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!(*known)[i].is_number()) return std::nullopt;
    *fields[i] = (*known)[i].get<double>();
  }
  return scores;
}

}  // namespace

Result<RetrievalResult> evaluate_retrieval(Context& context, const EvalSet& set, const EvalCorpus& corpus,
                                           const RetrievalRun& run) {
  std::unique_ptr<EvidenceFile> evidence;
  if (!run.evidence_file.empty()) {
    MNEME_ASSIGN_OR_RETURN(evidence, EvidenceFile::create(run.evidence_file));
  }
  MNEME_ASSIGN_OR_RETURN(EvalHome home, EvalHome::make(context, corpus.documents, "", run.rerank_by == "model"));
  rag::Workspace& workspace = home.workspace();

  std::unique_ptr<rag::Reranker> reranker;
  if (!run.rerank_by.empty()) {
    MNEME_ASSIGN_OR_RETURN(reranker, rag::open_reranker(workspace, run.rerank_by));
  }
  RetrievalResult result;
  result.documents = static_cast<int64_t>(corpus.documents.size());
  result.questions = std::count_if(corpus.relevant.begin(), corpus.relevant.end(),
                                   [](const std::vector<int>& relevant) { return !relevant.empty(); });
  uint64_t done = 0;
  const auto total = static_cast<uint64_t>(result.questions) * (std::size(kMethods) - (reranker == nullptr ? 1 : 0));
  for (const Method& method : kMethods) {
    if (method.by_model && reranker == nullptr) continue;
    if (const std::optional<RetrievalScores> known = known_scores(run.kept, method)) {
      result.methods.push_back(*known);
      done += static_cast<uint64_t>(result.questions);
      continue;
    }
    EvidenceFile* const decided_by = method.rerank && !method.by_model ? evidence.get() : nullptr;
    rag::Reranker* const model = method.by_model ? reranker.get() : nullptr;
    MNEME_ASSIGN_OR_RETURN(RetrievalScores scores,
                           score_method(context, workspace, set, corpus, method, decided_by, model, [&] {
                             if (run.progress) run.progress(++done, total);
                           }));
    if (run.kept != nullptr) MNEME_RETURN_IF_ERROR(run.kept->add(scores.method, kept_json(scores)));
    result.methods.push_back(scores);
  }
  if (evidence != nullptr) MNEME_RETURN_IF_ERROR(evidence->close());
  return result;
}

}  // namespace mneme::app
