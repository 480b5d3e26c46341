// Search by words: from a question to the terms worth scoring, their postings, and the best chunks.
#include <algorithm>
#include <iterator>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/lexical_query.h"
#include "storage/catalogue/lexical_scoring.h"
#include "storage/catalogue/term_choice.h"
#include "storage/catalogue/term_index.h"

namespace mneme::storage {
namespace {

// Restricts hits to some collections; says yes to all when every collection is meant.
class CollectionFilter {
 public:
  static Result<CollectionFilter> make(Database& database, std::span<const CollectionId> collections) {
    CollectionFilter filter;
    filter.wanted_.assign(collections.begin(), collections.end());
    MNEME_ASSIGN_OR_RETURN(Statement statement,
                           database.prepare("SELECT id FROM collections WHERE EXISTS(SELECT 1 FROM documents WHERE "
                                            "documents.collection=collections.id)"));
    while (!collections.empty()) {
      MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
      if (!row) break;
      const auto id = statement.id<CollectionId>(0);
      if (std::find(collections.begin(), collections.end(), id) == collections.end()) filter.active_ = true;
    }
    return filter;
  }

  Result<bool> admits(Database& database, ChunkId chunk) const {
    if (!active_) return true;
    MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("SELECT collection FROM chunks JOIN documents ON "
                                                                 "documents.id=document WHERE chunks.id=?1"));
    MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(chunk).step());
    return found && std::find(wanted_.begin(), wanted_.end(), statement.id<CollectionId>(0)) != wanted_.end();
  }

 private:
  std::vector<CollectionId> wanted_;
  bool active_ = false;
};

// The query's terms with their counts. Grammar words only where nothing else is known: counting them costs more than
// they tell.
Result<std::vector<WeightedTerm>> weigh_terms(TermIndex& index, const LexicalQuery& query) {
  std::vector<WeightedTerm> weighed;
  for (const bool stop : {false, true}) {
    std::vector<QueryTerm> terms;
    std::copy_if(query.terms.begin(), query.terms.end(), std::back_inserter(terms),
                 [&](const QueryTerm& term) { return term.stop == stop; });
    MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, index.frequencies(terms));
    for (size_t i = 0; i < terms.size(); ++i) {
      if (counts[i] > 0) weighed.push_back({terms[i], counts[i]});
    }
    if (!weighed.empty() || !query.phrases.empty()) break;
  }
  return weighed;
}

// Phrases must all be there; terms only add to the score.
Result<std::vector<ScoredTerm>> read_scored(TermIndex& index, const LexicalQuery& query,
                                            std::span<const WeightedTerm> terms, int64_t n_chunks) {
  std::vector<ScoredTerm> scored;
  for (const std::vector<std::string>& phrase : query.phrases) {
    ScoredTerm& added = scored.emplace_back();
    MNEME_ASSIGN_OR_RETURN(added.postings, index.postings(phrase));
    // A phrase is rarer than its words; it counts as much as a rare word for each of them.
    added.weight = term_idf(n_chunks / 1000, n_chunks) * static_cast<double>(phrase.size()) / 2;
    added.required = true;
  }
  for (const WeightedTerm& term : terms) {
    ScoredTerm& added = scored.emplace_back();
    MNEME_ASSIGN_OR_RETURN(added.postings, index.postings(term.term));
    // What was estimated in order to choose is known exactly now that it has been read.
    const size_t n_read = added.postings->size();
    const int64_t frequency = n_read < TermIndex::kLongestList ? static_cast<int64_t>(n_read) : term.frequency;
    added.weight = term.term.weight * term_idf(frequency, n_chunks);
  }
  return scored;
}

}  // namespace

Result<std::vector<LexicalHit>> Catalogue::search_lexical(std::string_view query,
                                                          std::span<const CollectionId> collections, int limit) {
  const LexicalQuery parsed = parse_lexical_query(query);
  if (limit <= 0 || (parsed.terms.empty() && parsed.phrases.empty())) return std::vector<LexicalHit>();
  MNEME_ASSIGN_OR_RETURN(const int64_t n_chunks, this->n_chunks());
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  // One state of the catalogue for the whole search.
  MNEME_ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(*database, Transaction::Kind::kRead));
  MNEME_ASSIGN_OR_RETURN(const CatalogueState now, CatalogueState::read(*database));
  TermIndex index(*database, state_->lexical_cache, now);
  MNEME_ASSIGN_OR_RETURN(std::vector<WeightedTerm> weighed, weigh_terms(index, parsed));
  const std::vector<WeightedTerm> chosen = choose_terms(std::move(weighed), n_chunks, !parsed.phrases.empty());
  if (chosen.empty() && parsed.phrases.empty()) return std::vector<LexicalHit>();
  MNEME_ASSIGN_OR_RETURN(const std::vector<ScoredTerm> scored, read_scored(index, parsed, chosen, n_chunks));
  MNEME_ASSIGN_OR_RETURN(const CollectionFilter filter, CollectionFilter::make(*database, collections));
  LexicalScoring scoring;
  const std::string any = chosen.empty() ? fts_string(parsed.phrases.front()) : fts_term(chosen.front().term);
  MNEME_ASSIGN_OR_RETURN(scoring.average_length, index.average_length(any));
  MNEME_ASSIGN_OR_RETURN(scoring.lengths, index.lengths());
  scoring.length = [&](ChunkId chunk) { return index.chunk_length(chunk); };
  scoring.admits = [&](ChunkId chunk) { return filter.admits(*database, chunk); };
  return score_postings(scored, scoring, static_cast<size_t>(limit));
}

Result<std::vector<int64_t>> Catalogue::term_document_counts(std::span<const std::string> terms) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(*database, Transaction::Kind::kRead));
  MNEME_ASSIGN_OR_RETURN(const CatalogueState now, CatalogueState::read(*database));
  std::vector<QueryTerm> asked;
  for (const std::string& term : terms) asked.push_back({term, 1, false, false});
  return TermIndex(*database, state_->lexical_cache, now).frequencies(asked);
}

}  // namespace mneme::storage
