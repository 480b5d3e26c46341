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
#include "rag/retrieval/first_look.h"
#include "rag/retrieval/hit_list.h"
#include "rag/retrieval/reranker.h"
#include "rag/retrieval/second_look.h"
#include "rag/text/languages/notes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

constexpr size_t kWeighed = 120;        // of the merged candidates
constexpr size_t kReadByModel = 24;     // at most, time allowing
constexpr double kUnreadBehind = 1e-3;  // log odds
// Differences of scores are log odds of a regression that had one right passage per question; flattened, so that
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
      candidates_(candidates),
      writing_(writing_of(query.text)) {}

Status CandidateRanking::look() {
  const trace::Span span("weigh", "rag");
  MNEME_RETURN_IF_ERROR(gather_evidence());
  sort_by_evidence();
  spread_scores();
  return {};
}

Status CandidateRanking::look_again(SearchResult& result, const CancelToken& cancel) {
  const trace::Span span("rerank", "rag");
  const Clock::time_point start = Clock::now();
  MNEME_RETURN_IF_ERROR(gather_evidence());
  look_closer();
  sort_by_evidence();
  MNEME_RETURN_IF_ERROR(ask_reranker(start, result, cancel));
  spread_scores();
  if (options_.explain) explain(result);
  result.reranked = static_cast<int>(n_weighed_);
  result.rerank_milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return {};
}

double CandidateRanking::score_of(const PassageEvidence& evidence) const {
  return evidence_score(evidence, workspace_.embedder().hybrid_weight(), writing_);
}

// What speaks, as a whole, for each of the first candidates, or of as many as are to be shown.
Status CandidateRanking::gather_evidence() {
  if (n_weighed_ > 0) return {};
  n_weighed_ = std::min(candidates_.size(), std::max(kWeighed, static_cast<size_t>(std::max(options_.top_k, 0))));
  std::vector<int64_t> keys;
  for (const Candidate& candidate : weighed()) keys.push_back(candidate.key);
  MNEME_RETURN_IF_ERROR(rows_.read(keys));
  finder_.complete(weighed());
  double best_lexical = 0.0;
  for (const Candidate& candidate : candidates_) best_lexical = std::max(best_lexical, candidate.lexical_score);
  const double floor = workspace_.embedder().similarity_floor();
  std::vector<LookedAt> passages;
  std::vector<PassageEvidence> evidence;
  for (const Candidate& candidate : weighed()) {
    PassageEvidence e = candidate.evidence;
    if (best_lexical > 0.0) e.lexical = candidate.lexical_score / best_lexical;
    e.dense = std::max(0.0, (double{candidate.similarity.value_or(0.0f)} - floor) / (1.0 - floor));
    evidence.push_back(e);
    passages.push_back(looked_at(candidate));
  }
  FirstLook(query_.text, [&](std::string_view term) { return terms_.idf(term); }).look(passages, evidence);
  for (size_t i = 0; i < n_weighed_; ++i) candidates_[i].evidence = evidence[i];
  return {};
}

LookedAt CandidateRanking::looked_at(const Candidate& candidate) const {
  return {rows_.text_of(candidate.key),    rows_.names_of(candidate.key), rows_.path_of(candidate.key),
          rows_.heading_of(candidate.key), rows_.title_of(candidate.key), rows_.form_of(candidate.key)};
}

// So many of the first must be in their right order: those that are shown or handed on.
size_t CandidateRanking::n_shown() const {
  if (options_.explain || query_.filters() || !query_.phrases.empty()) return n_weighed_;
  return std::max(HitList::n_read(options_), options_.reranker != nullptr ? kReadByModel : 0);
}

// What sentences say besides. They are only embedded where their likeness counts, or somebody wants to see it; and only
// those of passages that can still come among the first, whatever they say.
void CandidateRanking::look_closer() {
  const bool by_sentence = options_.explain || evidence_weight(&PassageEvidence::sentence, writing_) != 0.0;
  const Embedder* const embedder = by_sentence ? &workspace_.embedder() : nullptr;
  const SecondLook second(query_.text, embedder, [&](std::string_view term) { return terms_.idf(term); });
  std::vector<std::pair<double, size_t>> order;  // by the most that each can come to
  order.reserve(n_weighed_);
  for (size_t i = 0; i < n_weighed_; ++i) {
    order.emplace_back(score_of(second.with_best_sentences(candidates_[i].evidence)), i);
  }
  std::sort(order.begin(), order.end(), std::greater<>());
  std::priority_queue<double, std::vector<double>, std::greater<>> first;  // scores of the best; the worst on top
  const size_t n_first = n_shown();
  for (const auto& [bound, i] : order) {
    if (n_first > 0 && first.size() == n_first && bound < first.top()) break;
    second.look(looked_at(candidates_[i]), candidates_[i].evidence);
    first.push(score_of(candidates_[i].evidence));
    if (first.size() > n_first) first.pop();
  }
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
    result.notes.push_back(note_for(query_.text, &NoteTexts::not_reranked,
                                    {{"by", options_.reranker->name()}, {"why", scores.status().message()}}));
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

void CandidateRanking::sort_by_evidence() {
  for (Candidate& candidate : weighed()) candidate.score = score_of(candidate.evidence);
  sort_by_score();
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
