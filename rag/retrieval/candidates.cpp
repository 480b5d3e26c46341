#include "rag/retrieval/candidates.h"

#include <algorithm>
#include <future>
#include <unordered_map>

#include "base/background.h"
#include "base/trace.h"
#include "rag/embedding/embedder.h"
#include "rag/retrieval/passage_rows.h"
#include "rag/retrieval/rank_merge.h"
#include "rag/retrieval/title_pages.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/documents/document_names.h"
#include "rag/text/languages/notes.h"
#include "rag/text/told/defining_phrases.h"
#include "rag/text/told/definitions.h"
#include "rag/vectors/embedding_background.h"
#include "rag/vectors/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

using storage::CollectionRecord;
using storage::LexicalHit;

// Below this a scan is over before a thread has begun.
constexpr size_t kWorthAThread = 50'000;
// Phrases of common words are dear where there are many passages.
constexpr int64_t kPhrasesWithin = 200'000;
constexpr size_t kTitlesWithin = 12;  // hits: a document that is called by its title is among the first
constexpr int kOfEachForm = 6;        // passages for each phrase
constexpr int kSpelledWithin = 400;   // passages with a short form that are read for what it stands for

// What one ranking says of each key: 1 / (60 + place).
std::unordered_map<int64_t, double> places_of(const Ranking& ranking) {
  std::unordered_map<int64_t, double> places;
  for (const MergedRank& rank : merge_rankings({&ranking, 1})) places.emplace(rank.key, rank.score);
  return places;
}

template <typename Map>
auto value_or_zero(const Map& map, int64_t key) {
  const auto at = map.find(key);
  return at == map.end() ? typename Map::mapped_type{} : at->second;
}

}  // namespace

CandidateFinder::CandidateFinder(Workspace& workspace, const Query& query,
                                 std::span<const CollectionRecord> collections, const CancelToken& cancel)
    : workspace_(workspace), query_(query), collections_(collections), cancel_(cancel) {}

Result<std::vector<Candidate>> CandidateFinder::find(SearchMethod method, int wanted) {
  if (query_.text.empty()) return std::vector<Candidate>();
  if (method != SearchMethod::kLexical) MNEME_RETURN_IF_ERROR(open_vectors());
  size_t n_vectors = 0;
  for (const std::shared_ptr<VectorIndex>& index : indexes_) n_vectors += index->n_rows();
  std::future<std::vector<VectorHit>> scanning;
  if (method == SearchMethod::kHybrid && n_vectors >= kWorthAThread && !question_vector_.empty()) {
    scanning = in_background([&] { return scan_vectors(wanted); });
  }
  std::vector<LexicalHit> by_words;
  if (method != SearchMethod::kDense) {
    MNEME_ASSIGN_OR_RETURN(by_words, search_words(query_.text, wanted));
  }
  std::vector<int64_t> by_form;
  if (method == SearchMethod::kHybrid) {
    MNEME_ASSIGN_OR_RETURN(by_form, search_forms(by_words));
  }
  const std::vector<VectorHit> by_vectors = scanning.valid() ? scanning.get() : scan_vectors(wanted);
  if (cancel_.cancelled()) return cancelled();
  if (!by_words.empty()) note_missing_vectors();
  return merge(by_words, by_vectors, by_form);
}

Result<std::vector<LexicalHit>> CandidateFinder::search_words(const std::string& text, int wanted) {
  const trace::Span span("lexical", "rag");
  std::vector<storage::CollectionId> ids;
  for (const CollectionRecord& collection : collections_) ids.push_back(collection.id);
  if (ids.empty()) return std::vector<LexicalHit>();
  return workspace_.catalogue().search_lexical(text, ids, wanted);
}

// What neither words nor vectors put first though its form is known: a definition need not hold the thing's name often;
// "PEP 8" is made of two words that every one of its series holds; who wrote a book stands on its first page.
Result<std::vector<int64_t>> CandidateFinder::search_forms(std::span<const LexicalHit> by_words) {
  std::vector<int64_t> keys;
  if (!query_.phrases.empty()) return keys;
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> phrases, phrases_of_form(by_words));
  for (const std::string& phrase : phrases) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<LexicalHit> hits, search_words(phrase, kOfEachForm));
    for (const LexicalHit& hit : hits) {
      const auto key = static_cast<int64_t>(hit.chunk);
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  MNEME_RETURN_IF_ERROR(add_title_pages(by_words, keys));
  return keys;
}

// None where there are so many passages that looking for phrases takes long.
Result<std::vector<std::string>> CandidateFinder::phrases_of_form(std::span<const LexicalHit> by_words) {
  std::vector<std::string> phrases;
  MNEME_ASSIGN_OR_RETURN(const int64_t n_chunks, workspace_.catalogue().n_chunks());
  if (n_chunks > kPhrasesWithin) return phrases;
  phrases = defining_phrases(query_.text);
  MNEME_ASSIGN_OR_RETURN(const std::string spelled, spelled_out(by_words));
  if (!spelled.empty()) phrases.push_back("\"" + spelled + "\"");
  for (const std::string& name : CalledNames(query_.text, CalledNames::Which::kIdentifiers).phrases()) {
    phrases.push_back("\"" + name + "\" " + query_.text);
    phrases.push_back("\"" + name + "\"");  // what else is asked need not stand where the name does
  }
  return phrases;
}

// The first passages of what was found, by words or form, under a title that is asked about.
Status CandidateFinder::add_title_pages(std::span<const LexicalHit> by_words, std::vector<int64_t>& keys) {
  std::vector<int64_t> found = keys;
  for (const LexicalHit& hit : by_words.first(std::min(by_words.size(), kTitlesWithin))) {
    found.push_back(static_cast<int64_t>(hit.chunk));
  }
  MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> pages, title_pages(workspace_.catalogue(), query_.text, found));
  for (const int64_t page : pages) {
    if (std::find(keys.begin(), keys.end(), page) == keys.end()) keys.push_back(page);
  }
  return {};
}

// Where a short form is asked about: the first of the passages found that spells it out leads to all that do, and one
// of them says what it is. `"global interpreter lock gil"`, as "Global Interpreter Lock (GIL)" reads to the index.
Result<std::string> CandidateFinder::spelled_out(std::span<const LexicalHit> by_words) {
  const std::string short_form = short_form_asked(query_.text);
  if (short_form.empty()) return std::string();
  MNEME_ASSIGN_OR_RETURN(const std::string nearby, long_form_in(by_words, short_form));
  if (!nearby.empty()) return nearby + " " + short_form;
  // Where it is used often it is spelled out seldom, in passages that say it once.
  MNEME_ASSIGN_OR_RETURN(const std::vector<LexicalHit> further, search_words(short_form, kSpelledWithin));
  MNEME_ASSIGN_OR_RETURN(const std::string spelled, long_form_in(further, short_form));
  return spelled.empty() ? spelled : spelled + " " + short_form;
}

Result<std::string> CandidateFinder::long_form_in(std::span<const LexicalHit> hits, std::string_view short_form) const {
  PassageRows rows(workspace_.catalogue());
  for (const LexicalHit& hit : hits) {
    const auto key = static_cast<int64_t>(hit.chunk);
    MNEME_RETURN_IF_ERROR(rows.read({&key, 1}));  // one by one: it mostly is among the first
    const storage::ChunkRecord* const chunk = rows.chunk(key);
    if (chunk == nullptr) continue;
    std::string spelled = long_form(chunk->text, short_form);
    if (spelled.empty()) spelled = long_form(rows.names_of(key), short_form);
    if (!spelled.empty()) return spelled;
  }
  return std::string();
}

Status CandidateFinder::open_vectors() {
  const Embedder& embedder = workspace_.embedder();
  question_vector_.resize(static_cast<size_t>(embedder.dim()));
  const std::string_view text = query_.text;
  MNEME_RETURN_IF_ERROR(embedder.embed({&text, 1}, EmbedKind::kQuery, question_vector_));
  if (std::all_of(question_vector_.begin(), question_vector_.end(), [](float x) { return x == 0.0f; })) {
    question_vector_.clear();
    return {};
  }
  for (const CollectionRecord& collection : collections_) {
    if (cancel_.cancelled()) return cancelled();
    MNEME_ASSIGN_OR_RETURN(std::shared_ptr<VectorIndex> index, workspace_.vectors().get(collection));
    indexes_.push_back(std::move(index));
  }
  return {};
}

// The nearest of all collections, best first; nothing that has no likeness at all.
std::vector<VectorHit> CandidateFinder::scan_vectors(int wanted) const {
  const trace::Span span("dense", "rag");
  std::vector<VectorHit> hits;
  for (const std::shared_ptr<VectorIndex>& index : indexes_) {
    if (cancel_.cancelled()) break;
    const std::vector<VectorHit> found = index->search(question_vector_, wanted);
    hits.insert(hits.end(), found.begin(), found.end());
  }
  std::erase_if(hits, [](const VectorHit& hit) { return hit.similarity <= 0.0f; });
  std::sort(hits.begin(), hits.end(), [](const VectorHit& a, const VectorHit& b) {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.key < b.key;
  });
  return hits;
}

// Where words found something and vectors could not, the vectors are made behind the search. An empty collection needs
// none.
void CandidateFinder::note_missing_vectors() {
  const auto has_vectors = [](const std::shared_ptr<VectorIndex>& index) { return index->size() > 0; };
  for (size_t i = 0; i < indexes_.size(); ++i) {
    if (has_vectors(indexes_[i])) continue;
    const Result<bool> has_chunks = workspace_.catalogue().has_chunks(collections_[i].id);
    if (has_chunks.ok() && !*has_chunks) continue;
    workspace_.embedding().want(collections_[i]);
    notes_.push_back(note_for(query_.text, &NoteTexts::no_vectors,
                              {{"collection", collections_[i].name}, {"embedder", workspace_.embedder().identity()}}));
  }
}

std::vector<Candidate> CandidateFinder::merge(std::span<const LexicalHit> by_words,
                                              std::span<const VectorHit> by_vectors, std::span<const int64_t> by_form) {
  std::vector<int64_t> word_keys;
  std::vector<double> word_scores;
  std::unordered_map<int64_t, double> lexical;
  for (const LexicalHit& hit : by_words) {
    word_keys.push_back(static_cast<int64_t>(hit.chunk));
    word_scores.push_back(hit.score);
    lexical.emplace(word_keys.back(), hit.score);
  }
  std::vector<int64_t> vector_keys;
  std::vector<double> vector_scores;
  std::unordered_map<int64_t, float> dense;
  for (const VectorHit& hit : by_vectors) {
    vector_keys.push_back(hit.key);
    vector_scores.push_back(hit.similarity);
    dense.emplace(hit.key, hit.similarity);
  }
  const Ranking rankings[] = {{word_keys, 1.0, word_scores}, {vector_keys, 1.0, vector_scores}, {by_form, 1.0, {}}};
  const std::unordered_map<int64_t, double> vector_places = places_of(rankings[1]);
  std::vector<Candidate> candidates;
  for (const MergedRank& rank : merge_rankings(rankings)) {
    Candidate& candidate = candidates.emplace_back();
    candidate.key = rank.key;
    candidate.score = rank.score;
    candidate.lexical_score = value_or_zero(lexical, rank.key);
    if (const auto at = dense.find(rank.key); at != dense.end()) candidate.similarity = at->second;
    candidate.evidence.dense_place = value_or_zero(vector_places, rank.key);
  }
  return candidates;
}

void CandidateFinder::complete(std::span<Candidate> candidates) const {
  if (question_vector_.empty()) return;
  const QuantisedQuery query = quantise_query(question_vector_);
  for (Candidate& candidate : candidates) {
    for (size_t i = 0; i < indexes_.size() && !candidate.similarity.has_value(); ++i) {
      candidate.similarity = indexes_[i]->similarity(query, candidate.key);
    }
  }
}

void CandidateFinder::forget(std::span<const int64_t> keys) {
  if (keys.empty()) return;
  for (const std::shared_ptr<VectorIndex>& index : indexes_) index->erase(keys);
}

}  // namespace mneme::rag
