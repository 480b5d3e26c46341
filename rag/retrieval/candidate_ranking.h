// What speaks for each candidate of a search, and their order by it: a first look at the passages as a whole
// (first_look.h), a second and closer one at their sentences (second_look.h), and a third by a model where one is given
// (reranker.h).
// Ownership: borrows everything. Threads: one owner.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/retrieval/candidates.h"
#include "rag/retrieval/looked_at.h"
#include "rag/retrieval/passage_evidence.h"
#include "rag/retrieval/passage_rows.h"
#include "rag/retrieval/question_terms.h"

namespace mneme::rag {

class Reranker;

class CandidateRanking {
 public:
  // candidates: best first as they were found; put in order here. Only the first are weighed.
  CandidateRanking(Workspace& workspace, const SearchOptions& options, const Query& query, const QuestionTerms& terms,
                   const CandidateFinder& finder, PassageRows& rows, std::vector<Candidate>& candidates);

  // The first look: what passages say decides between the first of them, where places chose them.
  Status look();
  // The second look, and the third. Fills what SearchResult tells of them.
  Status look_again(SearchResult& result, const CancelToken& cancel);

 private:
  using Clock = std::chrono::steady_clock;

  Status gather_evidence();
  LookedAt looked_at(const Candidate& candidate) const;
  double score_of(const PassageEvidence& evidence) const;
  void look_closer();
  size_t n_shown() const;
  Status ask_reranker(Clock::time_point start, SearchResult& result, const CancelToken& cancel);
  void take_word_of(const Reranker& reranker, std::span<const double> scores);
  void spread_scores();
  void explain(SearchResult& result) const;
  void sort_by_evidence();
  void sort_by_score();
  std::span<Candidate> weighed() { return {candidates_.data(), n_weighed_}; }

  Workspace& workspace_;
  const SearchOptions& options_;
  const Query& query_;
  const QuestionTerms& terms_;
  const CandidateFinder& finder_;
  PassageRows& rows_;
  std::vector<Candidate>& candidates_;
  const Writing writing_;
  size_t n_weighed_ = 0;  // candidates with evidence
};

}  // namespace mneme::rag
