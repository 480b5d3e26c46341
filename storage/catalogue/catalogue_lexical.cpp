#include <sqlite3.h>

#include <algorithm>
#include <queue>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/fts_extension.h"
#include "storage/catalogue/lexical_match.h"
#include "storage/catalogue/lexical_query.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::storage {
namespace {

constexpr size_t kMaxCachedFrequencies = 100'000;
constexpr int64_t kMostScoredRows = 100'000;  // of one question; what lies beyond is left to the search by meaning
// Counting all rows of a common term takes longer than the search: above this a sample of the rows is counted.
constexpr int64_t kCountedRows = 1'000;
constexpr int64_t kSampleWindows = 16;
constexpr int64_t kSampleShare = 16;  // one row in so many

bool better(const LexicalHit& a, const LexicalHit& b) {
  return a.score != b.score ? a.score > b.score : a.chunk < b.chunk;
}

// The best `limit` hits, and the score below which nothing enters any more.
class TopHits {
 public:
  explicit TopHits(size_t limit) : limit_(limit) {}
  void add(LexicalHit hit) {
    heap_.push_back(hit);
    std::push_heap(heap_.begin(), heap_.end(), better);
    if (heap_.size() <= limit_) return;
    std::pop_heap(heap_.begin(), heap_.end(), better);
    heap_.pop_back();
  }
  double threshold() const { return heap_.size() < limit_ ? 0 : heap_.front().score; }
  std::vector<LexicalHit> take() {
    std::sort(heap_.begin(), heap_.end(), better);
    return std::move(heap_);
  }

 private:
  size_t limit_;
  std::vector<LexicalHit> heap_;  // the worst in front
};

// Rows of the term with rowids in [first, last], counted up to `limit`.
Result<int64_t> count_rows(Database& database, const std::string& match, int64_t first, int64_t last, int64_t limit) {
  MNEME_ASSIGN_OR_RETURN(
      Statement statement,
      database.prepare("SELECT count(*) FROM (SELECT 1 FROM lexical WHERE lexical MATCH ?1 AND rowid "
                       "BETWEEN ?2 AND ?3 LIMIT ?4)"));
  MNEME_RETURN_IF_ERROR(statement.bind(match, first, last, limit).step().status());
  return statement.integer(0);
}

// In how many chunks a term occurs: exactly as long as they are few, else from windows spread over all of them.
Result<int64_t> count_of_term(Database& database, const QueryTerm& term) {
  const std::string match = fts_string({term.term}) + (term.prefix ? " *" : "");
  MNEME_ASSIGN_OR_RETURN(const int64_t first, database.query_integer("SELECT coalesce(min(id), 0) FROM chunks"));
  MNEME_ASSIGN_OR_RETURN(const int64_t last, database.query_integer("SELECT coalesce(max(id), 0) FROM chunks"));
  MNEME_ASSIGN_OR_RETURN(const int64_t few, count_rows(database, match, first, last, kCountedRows + 1));
  if (few <= kCountedRows) return few;
  const int64_t stride = std::max<int64_t>(1, (last - first + 1) / kSampleWindows);
  const int64_t width = std::max<int64_t>(1, stride / kSampleShare);
  int64_t sampled = 0;
  for (int64_t window = 0; window < kSampleWindows; ++window) {
    const int64_t begin = first + window * stride + (stride - width) / 2;
    MNEME_ASSIGN_OR_RETURN(const int64_t rows, count_rows(database, match, begin, begin + width - 1, width));
    sampled += rows;
  }
  return std::max(few, sampled * (stride / width));
}

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

Result<std::vector<LexicalHit>> run_match(Database& database, const MatchExpression& match,
                                          const CollectionFilter& filter, size_t limit) {
  LexicalScorer scorer;
  scorer.phrase_weights = match.weights;
  TopHits top(limit);
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database.prepare("SELECT rowid, mneme_bm25(lexical, ?2) FROM lexical WHERE lexical MATCH ?1"));
  MNEME_RETURN_IF_ERROR(statement.bind(match.text).bind_pointer(2, &scorer, kScorerPointer));
  for (int64_t scored = 0;; ++scored) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row || scored >= kMostScoredRows) return top.take();
    if (statement.is_null(1)) continue;
    const LexicalHit hit{statement.id<ChunkId>(0), statement.real(1)};
    if (hit.score <= scorer.threshold) continue;
    MNEME_ASSIGN_OR_RETURN(const bool admitted, filter.admits(database, hit.chunk));
    if (!admitted) continue;
    top.add(hit);
    scorer.threshold = top.threshold();
  }
}

// How many chunks have each term, remembered until the catalogue changes.
template <typename State>
Result<std::vector<int64_t>> frequencies_of(State& state, Database& database, std::span<const QueryTerm> terms) {
  MNEME_ASSIGN_OR_RETURN(Statement revision, database.prepare("SELECT coalesce(sum(revision), 0) FROM collections"));
  MNEME_RETURN_IF_ERROR(revision.step().status());
  std::vector<int64_t> counts;
  for (const QueryTerm& term : terms) {
    const std::string key = term.term + (term.prefix ? "*" : "");
    {
      MutexLock lock(state.frequency_mutex);
      if (state.frequencies_of_revision != revision.integer(0) || state.frequencies.size() > kMaxCachedFrequencies) {
        state.frequencies.clear();
        state.frequencies_of_revision = revision.integer(0);
      }
      const auto known = state.frequencies.find(key);
      if (known != state.frequencies.end()) {
        counts.push_back(known->second);
        continue;
      }
    }
    MNEME_ASSIGN_OR_RETURN(const int64_t count, count_of_term(database, term));
    counts.push_back(count);
    MutexLock lock(state.frequency_mutex);
    if (state.frequencies_of_revision == revision.integer(0)) state.frequencies.emplace(key, count);
  }
  return counts;
}

// The query's terms with their counts. Grammar words only where nothing else is known: counting them costs more than
// they tell.
template <typename State>
Result<std::vector<WeightedTerm>> weigh_terms(State& state, Database& database, const LexicalQuery& query) {
  std::vector<WeightedTerm> weighed;
  for (const bool stop : {false, true}) {
    std::vector<QueryTerm> terms;
    std::copy_if(query.terms.begin(), query.terms.end(), std::back_inserter(terms),
                 [&](const QueryTerm& term) { return term.stop == stop; });
    MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, frequencies_of(state, database, terms));
    for (size_t i = 0; i < terms.size(); ++i) {
      if (counts[i] > 0) weighed.push_back({terms[i], counts[i]});
    }
    if (!weighed.empty() || !query.phrases.empty()) break;
  }
  return weighed;
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
  MNEME_ASSIGN_OR_RETURN(std::vector<WeightedTerm> terms, weigh_terms(*state_, *database, parsed));
  const ChosenTerms chosen = choose_terms(std::move(terms), n_chunks, !parsed.phrases.empty());
  const MatchExpression match = build_match(parsed, chosen, n_chunks);
  if (match.text.empty()) return std::vector<LexicalHit>();
  MNEME_ASSIGN_OR_RETURN(const CollectionFilter filter, CollectionFilter::make(*database, collections));
  return run_match(*database, match, filter, static_cast<size_t>(limit));
}

Result<std::vector<int64_t>> Catalogue::term_document_counts(std::span<const std::string> terms) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  std::vector<QueryTerm> asked;
  for (const std::string& term : terms) asked.push_back({term, 1, false, false});
  return frequencies_of(*state_, *database, asked);
}

}  // namespace mneme::storage
