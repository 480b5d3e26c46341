#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/fts_extension.h"
#include "storage/catalogue/lexical_query.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::storage {
namespace {

// A term in more than this share of all chunks tells little and costs much: left out when others are there.
constexpr double kCommonShare = 0.25;
constexpr int64_t kCommonFloor = 2000;  // ... but small collections are searched with everything
constexpr size_t kMaxCachedFrequencies = 100'000;
// What one question may cost in a large collection: so many rows are scored. The rarest terms come first; where even
// the rarest is commoner than that, the rows beyond are left to the search by meaning.
constexpr int64_t kScoredRows = 50'000;
constexpr int64_t kMostScoredRows = 2 * kScoredRows;
// Counting all rows of a common term takes longer than the search: above this a sample of the rows is counted.
constexpr int64_t kCountedRows = 4'000;
constexpr int64_t kSampleWindows = 16;
constexpr int64_t kSampleShare = 16;  // one row in so many

struct WeightedTerm {
  QueryTerm term;
  int64_t frequency = 0;  // chunks that have it
};

double idf(int64_t frequency, int64_t n_chunks) {
  const double n = static_cast<double>(std::max(n_chunks, frequency));
  const auto f = static_cast<double>(frequency);
  return std::log(1 + (n - f + 0.5) / (f + 0.5));
}

// The terms worth asking for: known ones, without grammar words and without those nearly everywhere, unless nothing
// else is left.
std::vector<WeightedTerm> choose_terms(std::vector<WeightedTerm> terms, int64_t n_chunks, bool have_phrases) {
  std::erase_if(terms, [](const WeightedTerm& term) { return term.frequency == 0; });
  const auto keep_unless_empty = [&](const auto& drop) {
    std::vector<WeightedTerm> kept;
    std::copy_if(terms.begin(), terms.end(), std::back_inserter(kept), [&](const auto& term) { return !drop(term); });
    if (!kept.empty() || have_phrases) terms = std::move(kept);
  };
  keep_unless_empty([](const WeightedTerm& term) { return term.term.stop; });
  const auto limit =
      std::max<int64_t>(kCommonFloor, static_cast<int64_t>(kCommonShare * static_cast<double>(n_chunks)));
  keep_unless_empty([&](const WeightedTerm& term) { return term.frequency > limit; });
  std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.frequency < b.frequency; });
  int64_t rows = 0;
  const auto beyond = std::find_if(terms.begin(), terms.end(),
                                   [&](const auto& term) { return (rows += term.frequency) > kScoredRows; });
  if (beyond != terms.end()) terms.erase(beyond == terms.begin() ? beyond + 1 : beyond, terms.end());
  return terms;
}

struct MatchExpression {
  std::string text;
  std::vector<double> weights;  // per phrase, in the order of the text
};

// Phrases must all match; terms only add to the score.
MatchExpression build_match(const LexicalQuery& query, const std::vector<WeightedTerm>& terms, int64_t n_chunks) {
  MatchExpression match;
  std::string all_phrases;
  for (const auto& phrase : query.phrases) {
    all_phrases += (all_phrases.empty() ? "" : " AND ") + fts_string(phrase);
    // A phrase is rarer than its words; it counts as much as a rare word for each of them.
    match.weights.push_back(idf(n_chunks / 1000, n_chunks) * static_cast<double>(phrase.size()) / 2);
  }
  std::string any_term;
  std::vector<double> term_weights;
  for (const WeightedTerm& term : terms) {
    any_term += (any_term.empty() ? "" : " OR ") + fts_string({term.term.term}) + (term.term.prefix ? " *" : "");
    term_weights.push_back(term.term.weight * idf(term.frequency, n_chunks));
  }
  if (all_phrases.empty()) {
    match.text = any_term;
  } else if (any_term.empty()) {
    match.text = all_phrases;
  } else {
    match.text = "(" + all_phrases + ") OR ((" + all_phrases + ") AND (" + any_term + "))";
    match.weights.resize(2 * query.phrases.size(), 0.0);  // the second mention scores nothing
  }
  match.weights.insert(match.weights.end(), term_weights.begin(), term_weights.end());
  return match;
}

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

}  // namespace

Result<std::vector<LexicalHit>> Catalogue::search_lexical(std::string_view query,
                                                          std::span<const CollectionId> collections, int limit) {
  const LexicalQuery parsed = parse_lexical_query(query);
  if (limit <= 0 || (parsed.terms.empty() && parsed.phrases.empty())) return std::vector<LexicalHit>();
  MNEME_ASSIGN_OR_RETURN(const int64_t n_chunks, this->n_chunks());
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  // One state of the catalogue for the whole search.
  MNEME_ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(*database, Transaction::Kind::kRead));
  MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, frequencies_of(*state_, *database, parsed.terms));
  std::vector<WeightedTerm> terms;
  for (size_t i = 0; i < counts.size(); ++i) terms.push_back({parsed.terms[i], counts[i]});
  terms = choose_terms(std::move(terms), n_chunks, !parsed.phrases.empty());
  const MatchExpression match = build_match(parsed, terms, n_chunks);
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
