#include "rag/retrieval/words_of_documents.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "rag/retrieval/passage_rows.h"
#include "rag/text/quantities.h"
#include "rag/text/stop_words.h"
#include "rag/text/synonyms.h"
#include "rag/text/words.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr int kLookedAt = 10;  // passages

struct Replacement {
  std::string_view word;  // empty: none
  std::string beside;     // the matter that the word itself stands nowhere beside; empty: it stands nowhere at all
};

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

// The rarest of the question's other words that any passage has, of equals the last: what the question is about, most
// likely. The "long" of "how long" is a way of asking.
Result<std::string> matter_of(storage::Catalogue& catalogue, std::string_view question, const SynonymSpot& spot) {
  const std::string measure = asked_measure(question);
  std::string matter;
  int64_t least = std::numeric_limits<int64_t>::max();
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    const bool is_spot = word.byte_begin < spot.end && spot.begin < word.byte_end;
    if (is_spot || is_stop_word(word.text) || word.text == measure) continue;
    const std::string written(question.substr(word.byte_begin, word.byte_end - word.byte_begin));
    MNEME_ASSIGN_OR_RETURN(const int64_t count, passages_with(catalogue, written));
    if (count == 0 || count > least) continue;
    least = count;
    matter = written;
  }
  return matter;
}

// Whether any of the passages that are found first by both words holds both, in its title, headings or text.
Result<bool> stand_together(storage::Catalogue& catalogue, std::string_view word, const std::string& matter) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::LexicalHit> hits,
                         catalogue.search_lexical(std::string(word) + " " + matter, {}, kLookedAt));
  std::vector<int64_t> keys;
  for (const storage::LexicalHit& hit : hits) keys.push_back(static_cast<int64_t>(hit.chunk));
  PassageRows rows(catalogue);
  MNEME_RETURN_IF_ERROR(rows.read(keys));
  std::vector<std::string> wanted = terms_of_word(word);
  const std::vector<std::string> of_matter = terms_of_word(matter);
  wanted.insert(wanted.end(), of_matter.begin(), of_matter.end());
  return std::any_of(keys.begin(), keys.end(), [&](int64_t key) {
    const std::vector<std::string> terms = storage::lexical_terms(rows.text_of(key), storage::TermPurpose::kDocument);
    const std::unordered_set<std::string_view> held(terms.begin(), terms.end());
    return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& term) { return held.contains(term); });
  });
}

// The commonest synonym; empty where no passage has any. Where `matter` is given, of those that stand beside it.
Result<std::string_view> known_synonym(storage::Catalogue& catalogue, const SynonymSpot& spot,
                                       const std::string& matter) {
  std::string_view best;
  int64_t most = 0;
  for (const std::string_view synonym : spot.synonyms) {
    MNEME_ASSIGN_OR_RETURN(const int64_t count, passages_with(catalogue, synonym));
    if (count <= most) continue;
    if (!matter.empty()) {
      MNEME_ASSIGN_OR_RETURN(const bool beside, stand_together(catalogue, synonym, matter));
      if (!beside) continue;
    }
    most = count;
    best = synonym;
  }
  return best;
}

// What stands for the word at the spot; empty where it stays.
Result<Replacement> replacement_of(storage::Catalogue& catalogue, std::string_view question, const SynonymSpot& spot) {
  const std::string_view word = question.substr(spot.begin, spot.end - spot.begin);
  MNEME_ASSIGN_OR_RETURN(const int64_t count, passages_with(catalogue, word));
  Replacement replacement;
  if (count > 0) {
    MNEME_ASSIGN_OR_RETURN(replacement.beside, matter_of(catalogue, question, spot));
    if (replacement.beside.empty()) return replacement;
    MNEME_ASSIGN_OR_RETURN(const bool beside, stand_together(catalogue, word, replacement.beside));
    if (beside) return replacement;
  }
  MNEME_ASSIGN_OR_RETURN(replacement.word, known_synonym(catalogue, spot, replacement.beside));
  return replacement;
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
    MNEME_ASSIGN_OR_RETURN(const Replacement replacement, replacement_of(catalogue, question, spot));
    if (replacement.word.empty()) continue;
    reworded.text.append(question.substr(copied, spot.begin - copied)).append(replacement.word);
    copied = spot.end;
    const std::string beside = replacement.beside.empty() ? "" : " beside \"" + replacement.beside + "\"";
    reworded.notes.push_back("no passage says \"" + std::string(word) + "\"" + beside + "; looked for \"" +
                             std::string(replacement.word) + "\" instead");
  }
  reworded.text.append(question.substr(copied));
  return reworded;
}

}  // namespace mneme::rag
