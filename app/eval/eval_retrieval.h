// Retrieval quality over question sets: every different context becomes one document in a home of its own, and each
// method is asked for the documents that hold the answers. Threads: the main thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/context.h"
#include "app/eval/shared_corpus.h"
#include "base/status.h"
#include "rag/retrieval/retriever.h"

namespace mneme::app {

class ResultFile;

struct RetrievalScores {
  // "lexical", "dense", "hybrid" without the second look, "hybrid_rerank" with it, "hybrid_rerank_model" with what
  // RetrievalRun::rerank_by names besides.
  std::string method;
  double recall_at_1 = 0;  // share of a question's supporting documents among the first k, mean over questions
  double recall_at_5 = 0;
  double recall_at_10 = 0;
  double mrr = 0;  // mean of 1 / rank of the first supporting document; 0 beyond rank 10
  double p50_ms = 0;
  double p95_ms = 0;
};

struct RetrievalResult {
  std::string set;
  int64_t questions = 0;
  std::vector<RetrievalScores> methods;
};

struct RetrievalRun {
  std::string rerank_by{};      // empty: none. What open_reranker() takes; adds a method
  std::string evidence_file{};  // empty: none. What spoke for each candidate of the second look (evidence_file.h)
  // Long documents: what is ranked are passages, and one is right where it holds an answer itself, or the first words
  // of a long one, whose rest may stand in the next passage.
  bool by_passage = false;
  std::function<void(uint64_t done, uint64_t total)> progress{};
  ResultFile* kept = nullptr;  // methods whose scores are there are not asked again; null: all are
};

// One result for each set of the corpus, over all its documents; questions without a supporting context are left out.
Result<std::vector<RetrievalResult>> evaluate_retrieval(Context& context, const SharedCorpus& corpus,
                                                        const RetrievalRun& run);

}  // namespace mneme::app
