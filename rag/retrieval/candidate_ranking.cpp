#include "rag/retrieval/candidate_ranking.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <queue>
#include <string>
#include <utility>

#include "base/trace.h"
#include "rag/embedding/embedder.h"
#include "rag/retrieval/hit_list.h"
#include "rag/retrieval/passage_scorer.h"
#include "rag/retrieval/reranker.h"
#include "rag/retrieval/second_look.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

constexpr size_t kWeighed = 60;         // of the merged candidates
constexpr size_t kLookedAt = 120;       // ... and by the second look, which takes its time
constexpr size_t kReadByModel = 24;     // at most, time allowing
constexpr double kUnreadBehind = 1e-3;  // log odds
// Differences of rerank scores are log odds of a regression that had one right passage per question; flattened, so that
// the second and third best still show.
constexpr double kScoreSlope = 0.3;

}  // namespace

CandidateRanking::CandidateRanking(Workspace& workspace, const SearchOptions& options, const Query& query,
                                   const QuestionTerms& terms, const CandidateFinder& finder, PassageRows& rows,
                                   std::vector<Candidate>& candidates)
    : workspace_(workspace),
      options_(options),
      query_(query),
      terms_(terms),
      finder_(finder),
      rows_(rows),
      candidates_(candidates) {}

Status CandidateRanking::look() {
  const trace::Span span("weigh", "rag");
  MNEME_RETURN_IF_ERROR(gather_evidence(kWeighed));
  for (Candidate& candidate : weighed()) {
    candidate.score = evidence_score(candidate.evidence, workspace_.embedder().hybrid_weight());
  }
  sort_by_score();
  return {};
}

Status CandidateRanking::look_again(SearchResult& result, const CancelToken& cancel) {
  const trace::Span span("rerank", "rag");
  const Clock::time_point start = Clock::now();
  MNEME_RETURN_IF_ERROR(gather_evidence(kLookedAt));
  const Writing writing = writing_of(query_.text);
  look_closer(writing);
  for (Candidate& candidate : weighed()) {
    candidate.score = rerank_score(candidate.evidence, workspace_.embedder().hybrid_weight(), writing);
  }
  sort_by_score();
  MNEME_RETURN_IF_ERROR(ask_reranker(start, result, cancel));
  spread_scores();
  if (options_.explain) explain(result);
  result.reranked = static_cast<int>(n_weighed_);
  result.rerank_milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return {};
}

// What speaks for each of the first `wanted` candidates, or of as many as are to be shown.
Status CandidateRanking::gather_evidence(size_t wanted) {
  const size_t known = n_weighed_;
  n_weighed_ = std::min(candidates_.size(), std::max(wanted, static_cast<size_t>(std::max(options_.top_k, 0))));
  const std::span<Candidate> added = weighed().subspan(known);
  std::vector<int64_t> keys;
  for (const Candidate& candidate : added) keys.push_back(candidate.key);
  MNEME_RETURN_IF_ERROR(rows_.read(keys));
  finder_.complete(added);
  double best_lexical = 0.0;
  for (const Candidate& candidate : candidates_) best_lexical = std::max(best_lexical, candidate.lexical_score);
  const double floor = workspace_.embedder().similarity_floor();
  const PassageScorer scorer(query_.text, [&](std::string_view term) { return terms_.idf(term); });
  for (Candidate& candidate : added) {
    PassageEvidence& e = candidate.evidence;
    if (best_lexical > 0.0) e.lexical = candidate.lexical_score / best_lexical;
    e.dense = std::max(0.0, (double{candidate.similarity.value_or(0.0f)} - floor) / (1.0 - floor));
    scorer.score(rows_.text_of(candidate.key), e);
  }
  return {};
}

// So many of the first must be in their right order: those that are shown or handed on.
size_t CandidateRanking::n_shown() const {
  if (options_.explain || query_.filters() || !query_.phrases.empty()) return n_weighed_;
  return std::max(HitList::n_read(options_), options_.reranker != nullptr ? kReadByModel : 0);
}

// As before, and with spelling, signs, names and sentences. Sentences are only embedded where their likeness counts, or
// somebody wants to see it; and only those of passages that can still come among the first, whatever they say.
void CandidateRanking::look_closer(Writing writing) {
  std::vector<LookedAt> passages;
  std::vector<PassageEvidence> evidence;
  for (const Candidate& candidate : weighed()) {
    passages.push_back({rows_.text_of(candidate.key), rows_.names_of(candidate.key), rows_.path_of(candidate.key),
                        rows_.heading_of(candidate.key), rows_.title_of(candidate.key)});
    evidence.push_back(candidate.evidence);
  }
  const bool by_sentence = options_.explain || rerank_weight(&PassageEvidence::sentence, writing) != 0.0;
  const Embedder* const embedder = by_sentence ? &workspace_.embedder() : nullptr;
  const SecondLook second(query_.text, embedder, [&](std::string_view term) { return terms_.idf(term); });
  second.look_at_whole(passages, evidence);
  const double dense_weight = workspace_.embedder().hybrid_weight();
  const auto most = [&](size_t i) {
    return rerank_score(second.with_best_sentences(evidence[i]), dense_weight, writing);
  };
  std::vector<std::pair<double, size_t>> order;  // by the most that each can come to
  for (size_t i = 0; i < n_weighed_; ++i) order.emplace_back(most(i), i);
  std::sort(order.begin(), order.end(), std::greater<>());
  std::priority_queue<double, std::vector<double>, std::greater<>> first;  // scores of the best; the worst on top
  const size_t n_first = n_shown();
  for (const auto& [bound, i] : order) {
    if (n_first > 0 && first.size() == n_first && bound < first.top()) break;
    second.look_at_sentences(passages[i], evidence[i]);
    first.push(rerank_score(evidence[i], dense_weight, writing));
    if (first.size() > n_first) first.pop();
  }
  for (size_t i = 0; i < n_weighed_; ++i) candidates_[i].evidence = evidence[i];
}

// The reranker's word on as many of the best as it can read in time; the others stay behind them.
Status CandidateRanking::ask_reranker(Clock::time_point start, SearchResult& result, const CancelToken& cancel) {
  if (options_.reranker == nullptr || n_weighed_ == 0) return {};
  const trace::Span span("rerank by model", "rag");
  std::vector<std::string_view> passages;
  for (const Candidate& candidate : weighed().first(std::min(n_weighed_, kReadByModel))) {
    const storage::ChunkRecord* row = rows_.chunk(candidate.key);
    if (row == nullptr) break;
    passages.push_back(row->text);
  }
  const std::chrono::duration<double, std::milli> budget(options_.rerank_budget_ms);
  const Result<std::vector<double>> scores = options_.reranker->score(
      query_.text, passages, start + std::chrono::duration_cast<Clock::duration>(budget), cancel);
  if (scores.status().code() == StatusCode::kCancelled) return scores.status();
  if (!scores.ok()) {
    result.notes.push_back("not reranked by " + options_.reranker->name() + ": " + scores.status().message());
    return {};
  }
  take_word_of(*options_.reranker, *scores);
  result.read_by_model = static_cast<int>(scores->size());
  return {};
}

void CandidateRanking::take_word_of(const Reranker& reranker, std::span<const double> scores) {
  const std::vector<double> deviations = standardised(scores);
  // Whatever was not read stays behind what was.
  double lowest = 0.0;
  for (size_t i = 0; i < deviations.size(); ++i) {
    candidates_[i].score += reranker.weight() * deviations[i];
    lowest = i == 0 ? candidates_[i].score : std::min(lowest, candidates_[i].score);
  }
  for (size_t i = deviations.size(); i < n_weighed_; ++i) {
    candidates_[i].score = std::min(candidates_[i].score, lowest - kUnreadBehind * static_cast<double>(i));
  }
  sort_by_score();
}

// Log odds among the candidates, as shares for people and for what weighs scores against each other.
void CandidateRanking::spread_scores() {
  const double best = n_weighed_ == 0 ? 0.0 : candidates_.front().score;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    candidates_[i].score = i < n_weighed_ ? std::exp(kScoreSlope * (candidates_[i].score - best)) : 0.0;
  }
}

void CandidateRanking::explain(SearchResult& result) const {
  for (size_t i = 0; i < n_weighed_; ++i) {
    const storage::DocumentRecord* document = rows_.document_of(candidates_[i].key);
    if (document == nullptr) continue;
    result.considered.push_back({candidates_[i].key, document->path, candidates_[i].evidence});
  }
}

// Equal scores: by the text, which does not depend on what was indexed first.
void CandidateRanking::sort_by_score() {
  const std::span<Candidate> first = weighed();
  std::stable_sort(first.begin(), first.end(), [&](const Candidate& a, const Candidate& b) {
    if (a.score != b.score) return a.score > b.score;
    return rows_.text_of(a.key) < rows_.text_of(b.key);
  });
}

}  // namespace mneme::rag
