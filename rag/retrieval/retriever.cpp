#include "rag/retrieval/retriever.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <unordered_set>

#include "base/human_text.h"
#include "base/trace.h"
#include "rag/indexing/index_control.h"
#include "rag/retrieval/answerability.h"
#include "rag/retrieval/asked_names.h"
#include "rag/retrieval/candidate_ranking.h"
#include "rag/retrieval/candidates.h"
#include "rag/retrieval/excerpt_place.h"
#include "rag/retrieval/hit_list.h"
#include "rag/retrieval/passage_rows.h"
#include "rag/retrieval/query.h"
#include "rag/retrieval/unmatched_filters.h"
#include "rag/retrieval/words_of_documents.h"
#include "rag/text/asked/meaning.h"
#include "rag/text/languages/notes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

using storage::CollectionRecord;

// How many candidates each method contributes, and more where a filter will take some away.
constexpr int kCandidates = 60;
constexpr int kFilteredCandidates = 1000;

Result<std::vector<CollectionRecord>> collections_of(storage::Catalogue& catalogue, const std::string& name) {
  if (name.empty()) return catalogue.list_collections();
  MNEME_ASSIGN_OR_RETURN(CollectionRecord collection, catalogue.find_collection(name));
  return std::vector<CollectionRecord>{std::move(collection)};
}

int candidates_wanted(const Query& query, const SearchOptions& options) {
  const bool narrowed = query.filters() || !query.phrases.empty() || !options.within.empty();
  return std::max(narrowed ? kFilteredCandidates : kCandidates, options.top_k);
}

// Those of a few documents. What is there no longer has no passages.
Status keep_within(storage::Catalogue& catalogue, std::span<const CollectionRecord> collections,
                   std::span<const std::string> paths, std::vector<Candidate>& candidates) {
  std::unordered_set<int64_t> kept;
  for (const CollectionRecord& collection : collections) {
    for (const std::string& path : paths) {
      MNEME_ASSIGN_OR_RETURN(const auto document, catalogue.find_document(collection.id, path));
      if (!document) continue;
      MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChunkRecord> chunks, catalogue.document_chunks(document->id));
      for (const storage::ChunkRecord& chunk : chunks) kept.insert(static_cast<int64_t>(chunk.id));
    }
  }
  std::erase_if(candidates, [&](const Candidate& candidate) { return !kept.contains(candidate.key); });
  return {};
}

Status judge_answerable(Workspace& workspace, const QuestionTerms& terms, const SearchOptions& options,
                        SearchResult& result) {
  const trace::Span span("judge", "rag");
  MNEME_ASSIGN_OR_RETURN(const std::vector<AskedName> names, names_known(workspace.catalogue(), result.query));
  const AnswerabilityJudge judge(result.query, terms.judged(result.query), names, workspace.embedder());
  std::vector<AnswerEvidence> evidence = options.explain ? judge.look_at_all(result.hits) : judge.look(result.hits);
  result.answerable = judge.may_answer(result.hits, evidence);
  if (options.explain) result.judged = std::move(evidence);
  return {};
}

void place_excerpts(const QuestionTerms& terms, std::span<Hit> hits) {
  const auto weight = [&](std::string_view term) { return terms.idf(term); };
  for (Hit& hit : hits) hit.excerpt_begin = excerpt_place(hit.text, hit.form, terms.terms(), weight);
}

Result<SearchResult> run_search(Workspace& workspace, const std::string& input, const SearchOptions& options,
                                const CancelToken& cancel) {
  const trace::Span span("retrieve", "rag");
  const auto start = std::chrono::steady_clock::now();
  Query query = parse_query(input);
  SearchResult result;
  MNEME_ASSIGN_OR_RETURN(Rewording reworded,
                         in_words_of_documents(workspace.catalogue(), workspace.embedder(), query.text));
  query.text = asked_plainly(reworded.text);
  result.query = query.text;
  MNEME_ASSIGN_OR_RETURN(const std::vector<CollectionRecord> collections,
                         collections_of(workspace.catalogue(), options.collection));
  CandidateFinder finder(workspace, query, collections, cancel);
  MNEME_ASSIGN_OR_RETURN(std::vector<Candidate> candidates,
                         finder.find(options.method, candidates_wanted(query, options)));
  if (!options.within.empty()) {
    MNEME_RETURN_IF_ERROR(keep_within(workspace.catalogue(), collections, options.within, candidates));
  }
  result.notes = query.notes;
  result.notes.insert(result.notes.end(), reworded.notes.begin(), reworded.notes.end());
  result.notes.insert(result.notes.end(), finder.notes().begin(), finder.notes().end());
  MNEME_ASSIGN_OR_RETURN(const QuestionTerms terms, QuestionTerms::weigh(workspace.catalogue(), query.text));
  PassageRows rows(workspace.catalogue());
  CandidateRanking ranking(workspace, options, query, terms, finder, rows, candidates);
  const bool hybrid = options.method == SearchMethod::kHybrid;
  if (hybrid) MNEME_RETURN_IF_ERROR(ranking.look());
  if (options.rerank.value_or(hybrid)) MNEME_RETURN_IF_ERROR(ranking.look_again(result, cancel));
  HitList list(workspace, options, query, collections, rows);
  MNEME_RETURN_IF_ERROR(list.take(candidates));
  finder.forget(list.gone());
  if (list.n_left_out() > 0) {
    result.notes.push_back(
        note_for(query.text, &NoteTexts::repeats_left_out, {{"n", number_for(query.text, list.n_left_out())}}));
  }
  result.hits = list.release();
  place_excerpts(terms, result.hits);
  if (result.hits.empty() && query.filters()) {
    MNEME_ASSIGN_OR_RETURN(std::string why, why_filters_left_nothing(workspace.catalogue(), collections, input));
    if (!why.empty()) result.notes.push_back(std::move(why));
  }
  if (options.judge) MNEME_RETURN_IF_ERROR(judge_answerable(workspace, terms, options, result));
  result.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

Result<SearchMethod> parse_search_method(std::string_view name) {
  for (const SearchMethod method : {SearchMethod::kHybrid, SearchMethod::kDense, SearchMethod::kLexical}) {
    if (name == search_method_name(method)) return method;
  }
  return usage_error("unknown search method " + std::string(name) + "; there are hybrid, dense, lexical");
}

std::string_view search_method_name(SearchMethod method) {
  switch (method) {
    case SearchMethod::kHybrid: return "hybrid";
    case SearchMethod::kDense: return "dense";
    case SearchMethod::kLexical: return "lexical";
  }
  return "hybrid";
}

Result<SearchResult> Retriever::search(const std::string& query, const SearchOptions& options,
                                       const CancelToken& cancel) {
  // Files about it that are still to be indexed come next; not being heard is no reason not to search.
  (void)IndexControl(workspace_).want(query);
  return run_search(workspace_, query, options, cancel);
}

}  // namespace mneme::rag
