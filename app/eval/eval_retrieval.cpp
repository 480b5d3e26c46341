#include "app/eval/eval_retrieval.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <unordered_set>

#include "app/eval/answer_metrics.h"
#include "app/eval/eval_home.h"
#include "app/eval/evidence_file.h"
#include "app/measure/statistics.h"
#include "app/output/result_file.h"
#include "base/stopwatch.h"
#include "rag/retrieval/reranker.h"
#include "rag/workspace.h"

namespace mneme::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDepth = 10;
constexpr int kPassages = 30;        // asked for, since several may come from one document
constexpr int kAllPassages = 120;    // ... where it is wanted of each candidate whether it holds an answer
constexpr size_t kAnswerWords = 12;  // of a long answer, whose end a passage may not hold

// The documents of the hits, each once, best first.
std::vector<int> ranked_documents(const std::vector<rag::Hit>& hits) {
  std::vector<int> documents;
  for (const rag::Hit& hit : hits) {
    const int number = EvalHome::number_of(hit.document);
    if (std::find(documents.begin(), documents.end(), number) == documents.end()) documents.push_back(number);
  }
  return documents;
}

bool holds_answer(std::string_view passage, std::span<const std::string> answers) {
  const std::vector<std::string> tokens = answer_tokens(passage);
  return std::any_of(answers.begin(), answers.end(), [&](const std::string& answer) {
    std::vector<std::string> wanted = answer_tokens(answer);
    wanted.resize(std::min(wanted.size(), kAnswerWords));
    return !wanted.empty() && std::search(tokens.begin(), tokens.end(), wanted.begin(), wanted.end()) != tokens.end();
  });
}

// The hits as if there were one right document, 0, which each passage that holds an answer stands for.
std::vector<int> ranked_passages(const std::vector<rag::Hit>& hits, const std::vector<int>& relevant,
                                 std::span<const std::string> answers) {
  std::vector<int> ranked;
  for (const rag::Hit& hit : hits) {
    const bool of_document =
        std::find(relevant.begin(), relevant.end(), EvalHome::number_of(hit.document)) != relevant.end();
    ranked.push_back(of_document && holds_answer(hit.text, answers) ? 0 : -1);
  }
  return ranked;
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

// Sums over the questions of one set, and what they come to.
class Scores {
 public:
  void add(const std::vector<int>& ranked, const std::vector<int>& relevant, double milliseconds) {
    sums_.recall_at_1 += recall_at(1, ranked, relevant);
    sums_.recall_at_5 += recall_at(5, ranked, relevant);
    sums_.recall_at_10 += recall_at(10, ranked, relevant);
    sums_.mrr += reciprocal_rank(ranked, relevant);
    milliseconds_.push_back(milliseconds);
  }
  RetrievalScores means(std::string_view method) {
    RetrievalScores scores = sums_;
    scores.method = method;
    const auto n = static_cast<double>(std::max(size_t{1}, milliseconds_.size()));
    for (double* sum : {&scores.recall_at_1, &scores.recall_at_5, &scores.recall_at_10, &scores.mrr}) *sum /= n;
    scores.p50_ms = quantile(milliseconds_, 0.5);
    scores.p95_ms = quantile(milliseconds_, 0.95);
    return scores;
  }

 private:
  RetrievalScores sums_;
  std::vector<double> milliseconds_;
};

// One home, asked in every way.
class Searches {
 public:
  Searches(Context& context, rag::Workspace& workspace, const RetrievalRun& run, rag::Reranker* reranker,
           EvidenceFile* evidence)
      : context_(context), retriever_(workspace), run_(run), reranker_(reranker), evidence_(evidence) {}

  Result<RetrievalScores> score(const AskedSet& asked, const Method& method, const std::function<void()>& each) {
    const rag::SearchOptions options = options_of(method);
    Scores scores;
    // The first search opens what is opened at first use.
    MNEME_RETURN_IF_ERROR(retriever_.search("warm", options, context_.cancel).status());
    for (size_t i = 0; i < asked.set.questions.size(); ++i) {
      if (asked.relevant[i].empty()) continue;
      const EvalQuestion& question = asked.set.questions[i];
      const Clock::time_point start = Clock::now();
      const Result<rag::SearchResult> found = retriever_.search(question.question, options, context_.cancel);
      const double milliseconds = milliseconds_since(start);
      if (!found.ok()) return found.status();
      if (context_.cancel.cancelled()) return cancelled();
      if (options.explain) MNEME_RETURN_IF_ERROR(keep_evidence(question, *found, asked.relevant[i]));
      if (run_.by_passage) {
        scores.add(ranked_passages(found->hits, asked.relevant[i], question.answers), {0}, milliseconds);
      } else {
        scores.add(ranked_documents(found->hits), asked.relevant[i], milliseconds);
      }
      each();
    }
    return scores.means(method.name);
  }

 private:
  rag::SearchOptions options_of(const Method& method) const {
    rag::SearchOptions options;
    options.method = method.search;
    options.rerank = method.rerank;
    options.explain = method.rerank && !method.by_model && evidence_ != nullptr;
    options.top_k = options.explain && run_.by_passage ? kAllPassages : kPassages;
    options.reranker = method.by_model ? reranker_ : nullptr;
    return options;
  }

  Status keep_evidence(const EvalQuestion& question, const rag::SearchResult& found, const std::vector<int>& relevant) {
    std::unordered_set<int64_t> answering;
    for (const rag::Hit& hit : found.hits) {
      if (run_.by_passage && holds_answer(hit.text, question.answers)) answering.insert(hit.chunk_row);
    }
    const auto is_relevant = [&](const rag::Considered& considered) {
      const int number = EvalHome::number_of(considered.document);
      if (std::find(relevant.begin(), relevant.end(), number) == relevant.end()) return false;
      return !run_.by_passage || answering.contains(considered.chunk_row);
    };
    return evidence_->add(split_title(question), question.question, found.considered, is_relevant);
  }

  Context& context_;
  rag::Retriever retriever_;
  const RetrievalRun& run_;
  rag::Reranker* const reranker_;
  EvidenceFile* const evidence_;
};

int64_t n_asked(const AskedSet& asked) {
  return std::count_if(asked.relevant.begin(), asked.relevant.end(),
                       [](const std::vector<int>& relevant) { return !relevant.empty(); });
}

// As known_scores() reads them.
nlohmann::json kept_json(const RetrievalScores& scores) {
  return nlohmann::json::array(
      {scores.recall_at_1, scores.recall_at_5, scores.recall_at_10, scores.mrr, scores.p50_ms, scores.p95_ms});
}

// The first set's by the method alone.
std::string kept_as(size_t set, const Method& method) {
  return std::string(method.name) + (set == 0 ? "" : "," + std::to_string(set));
}

std::optional<RetrievalScores> known_scores(const ResultFile* kept, const std::string& key, const Method& method) {
  const nlohmann::json* const known = kept == nullptr ? nullptr : kept->find(key);
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

Result<std::vector<RetrievalResult>> evaluate_retrieval(Context& context, const SharedCorpus& corpus,
                                                        const RetrievalRun& run) {
  std::unique_ptr<EvidenceFile> evidence;
  if (!run.evidence_file.empty()) {
    MNEME_ASSIGN_OR_RETURN(evidence, EvidenceFile::create(run.evidence_file));
  }
  MNEME_ASSIGN_OR_RETURN(EvalHome home, EvalHome::make(context, corpus.documents(), "", run.rerank_by == "model"));
  std::unique_ptr<rag::Reranker> reranker;
  if (!run.rerank_by.empty()) {
    MNEME_ASSIGN_OR_RETURN(reranker, rag::open_reranker(home.workspace(), run.rerank_by));
  }
  std::vector<RetrievalResult> results;
  uint64_t total = 0;
  for (const AskedSet& asked : corpus.asked()) {
    results.push_back({.set = asked.set.name, .questions = n_asked(asked), .methods = {}});
    total += static_cast<uint64_t>(results.back().questions) * (std::size(kMethods) - (reranker == nullptr ? 1 : 0));
  }
  Searches searches(context, home.workspace(), run, reranker.get(), evidence.get());
  uint64_t done = 0;
  const auto each = [&] {
    if (run.progress) run.progress(++done, total);
  };
  for (size_t s = 0; s < results.size(); ++s) {
    for (const Method& method : kMethods) {
      if (method.by_model && reranker == nullptr) continue;
      const std::string key = kept_as(s, method);
      std::optional<RetrievalScores> scores = known_scores(run.kept, key, method);
      if (scores.has_value()) {
        done += static_cast<uint64_t>(results[s].questions);
      } else {
        MNEME_ASSIGN_OR_RETURN(scores, searches.score(corpus.asked()[s], method, each));
        if (run.kept != nullptr) MNEME_RETURN_IF_ERROR(run.kept->add(key, kept_json(*scores)));
      }
      results[s].methods.push_back(*scores);
    }
  }
  if (evidence != nullptr) MNEME_RETURN_IF_ERROR(evidence->close());
  return results;
}

}  // namespace mneme::app
