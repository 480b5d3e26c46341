#include "rag/retrieval/best_synonym.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "rag/chunking/text_units.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr int kMostRead = 16;  // passages of each synonym

using Terms = std::unordered_set<std::string>;

struct KnownSynonym {
  std::string_view text;
  int64_t count = 0;  // of passages that have it, or may have it: all its words
  size_t beside = 0;  // other words of the question in one of its sentences
};

Terms terms_in(std::string_view text) {
  const std::vector<std::string> terms = storage::lexical_terms(text, storage::TermPurpose::kDocument);
  return {terms.begin(), terms.end()};
}

// The question's words but for the one in question and those that carry no meaning.
Terms other_terms(std::string_view question, const SynonymSpot& spot) {
  Terms others;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    const bool is_it = word.byte_begin < spot.end && spot.begin < word.byte_end;
    if (!is_it && !word.pair && !is_stop_word(word.text, language_of(question)))
      others.insert(storage::term_of_word(word.text));
  }
  return others;
}

size_t beside_in(std::string_view text, const std::vector<std::string>& synonym, const Terms& others) {
  size_t most = 0;
  size_t begin = 0;
  for (const size_t end : chunking::sentence_ends(text)) {
    const Terms said = terms_in(text.substr(begin, end - begin));
    begin = end;
    const auto is_said = [&](const std::string& term) { return said.contains(term); };
    if (!std::all_of(synonym.begin(), synonym.end(), is_said)) continue;
    most = std::max(most, static_cast<size_t>(std::count_if(others.begin(), others.end(), is_said)));
  }
  return most;
}

Status read_passages(storage::Catalogue& catalogue, const Terms& others, KnownSynonym& synonym) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionRecord> collections, catalogue.list_collections());
  std::vector<storage::CollectionId> ids;
  ids.reserve(collections.size());
  for (const storage::CollectionRecord& collection : collections) ids.push_back(collection.id);
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::LexicalHit> hits,
                         catalogue.search_lexical(synonym.text, ids, kMostRead));
  std::vector<storage::ChunkId> chunks;
  chunks.reserve(hits.size());
  for (const storage::LexicalHit& hit : hits) chunks.push_back(hit.chunk);
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChunkRecord> passages, catalogue.chunks(chunks));
  const std::vector<std::string> terms = storage::lexical_terms(synonym.text);
  for (const storage::ChunkRecord& passage : passages)
    synonym.beside = std::max(synonym.beside, beside_in(passage.text, terms, others));
  return {};
}

}  // namespace

Result<std::string_view> best_synonym(storage::Catalogue& catalogue, std::string_view question,
                                      const SynonymSpot& spot) {
  std::vector<KnownSynonym> known;
  for (const std::string_view synonym : spot.synonyms) {
    const std::vector<std::string> terms = storage::lexical_terms(synonym);
    if (terms.empty()) continue;
    MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, catalogue.term_document_counts(terms));
    const int64_t count = *std::min_element(counts.begin(), counts.end());
    if (count > 0) known.push_back({.text = synonym, .count = count});
  }
  if (known.empty()) return std::string_view();
  const Terms others = other_terms(question, spot);
  if (known.size() > 1 && !others.empty()) {
    for (KnownSynonym& synonym : known) MNEME_RETURN_IF_ERROR(read_passages(catalogue, others, synonym));
  }
  return std::max_element(known.begin(), known.end(),
                          [](const KnownSynonym& a, const KnownSynonym& b) {
                            return a.beside != b.beside ? a.beside < b.beside : a.count < b.count;
                          })
      ->text;
}

}  // namespace mneme::rag
