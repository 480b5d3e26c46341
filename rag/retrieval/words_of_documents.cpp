#include "rag/retrieval/words_of_documents.h"

#include <algorithm>

#include "rag/text/synonyms.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

// Terms that stand for a word: of one without spaces its pairs, but not the character that closes them.
std::vector<std::string> terms_of_word(std::string_view word) {
  std::vector<std::string> terms = storage::lexical_terms(word);
  const bool wide = !word.empty() && static_cast<unsigned char>(word.front()) >= 0xE0;
  if (!wide && terms.size() > 1) terms.resize(1);
  if (wide && terms.size() > 1) terms.pop_back();
  return terms;
}

// Passages that have the word, or may have it: its rarest pair.
Result<int64_t> passages_with(storage::Catalogue& catalogue, std::string_view word) {
  const std::vector<std::string> terms = terms_of_word(word);
  if (terms.empty()) return int64_t{0};
  MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, catalogue.term_document_counts(terms));
  return *std::min_element(counts.begin(), counts.end());
}

// The commonest synonym; empty where no passage has any.
Result<std::string_view> known_synonym(storage::Catalogue& catalogue, const SynonymSpot& spot) {
  std::string_view best;
  int64_t most = 0;
  for (const std::string_view synonym : spot.synonyms) {
    MNEME_ASSIGN_OR_RETURN(const int64_t count, passages_with(catalogue, synonym));
    if (count <= most) continue;
    most = count;
    best = synonym;
  }
  return best;
}

bool is_quoted(std::string_view question, size_t at) {
  return std::count(question.begin(), question.begin() + static_cast<std::ptrdiff_t>(at), '"') % 2 == 1;
}

}  // namespace

Result<Rewording> in_words_of_documents(storage::Catalogue& catalogue, std::string_view question) {
  Rewording reworded;
  size_t copied = 0;
  for (const SynonymSpot& spot : synonym_spots(question)) {
    const std::string_view word = question.substr(spot.begin, spot.end - spot.begin);
    if (is_quoted(question, spot.begin)) continue;
    MNEME_ASSIGN_OR_RETURN(const int64_t count, passages_with(catalogue, word));
    if (count > 0) continue;
    MNEME_ASSIGN_OR_RETURN(const std::string_view synonym, known_synonym(catalogue, spot));
    if (synonym.empty()) continue;
    reworded.text.append(question.substr(copied, spot.begin - copied)).append(synonym);
    copied = spot.end;
    reworded.notes.push_back("no passage says \"" + std::string(word) + "\"; looked for \"" + std::string(synonym) +
                             "\" instead");
  }
  reworded.text.append(question.substr(copied));
  return reworded;
}

}  // namespace mneme::rag
