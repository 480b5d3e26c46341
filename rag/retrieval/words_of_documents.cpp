#include "rag/retrieval/words_of_documents.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "rag/embedding/embedder.h"
#include "rag/follow_ups/follow_up_words.h"
#include "rag/retrieval/best_synonym.h"
#include "rag/retrieval/commonest_spelling.h"
#include "rag/retrieval/misspelling.h"
#include "rag/retrieval/word_parts.h"
#include "rag/text/asked/code.h"
#include "rag/text/asked/permission.h"
#include "rag/text/asked/predicate.h"
#include "rag/text/asked/price.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/languages/notes.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/variants/chinese_characters.h"
#include "rag/text/variants/ending_forms.h"
#include "rag/text/variants/related_words.h"
#include "rag/text/variants/synonyms.h"
#include "rag/text/variants/word_variants.h"
#include "rag/text/words/words.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/lexical_terms.h"
#include "storage/catalogue/stop_words.h"

namespace mneme::rag {

namespace {

constexpr int kMostLookedFor = 3;  // words that no passage has: each may cost hundreds of look-ups

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

// "snake_case", "a.py", "co-op": one slip away from a word is not what is meant.
bool is_part_of_name(std::string_view question, size_t begin, size_t end) {
  const auto joins = [](char c) {
    return is_digit(c) || std::string_view("_./:-@#\\").find(c) != std::string_view::npos;
  };
  if (begin > 0 && joins(question[begin - 1])) return true;
  const bool stops = end + 1 >= question.size() || is_space(question[end + 1]);  // "capital." ends a sentence
  return end < question.size() && joins(question[end]) && !stops;
}

bool is_quoted(std::string_view question, size_t at) {
  return std::count(question.begin(), question.begin() + static_cast<std::ptrdiff_t>(at), '"') % 2 == 1;
}

// "coûte" of "Combien coûte le loyer ?": documents need not have it in any spelling.
bool only_asks(std::string_view folded, Language language) {
  static const PhrasesOfLanguages kMeasures(&LanguageFacts::measures, " ");
  static const PhrasesOfLanguages kLasting(&LanguageFacts::lasting, " ");
  return is_stop_word(folded, language) || kMeasures.of(language).holds(folded) ||
         kLasting.of(language).holds(folded) || is_asking_verb(folded) || is_earning_word(folded);
}

// What stands in the place of a word.
struct Replacement {
  size_t begin = 0;
  size_t end = 0;
  std::string by;
};

bool is_replaced(const std::vector<Replacement>& replaced, size_t begin, size_t end) {
  return std::any_of(replaced.begin(), replaced.end(),
                     [&](const Replacement& r) { return r.begin < end && begin < r.end; });
}

// "gäller" for "galler", which tables have folded; as it is where documents spell it so, or it is of several words.
Result<std::string> as_documents_have_it(storage::Catalogue& catalogue, std::string_view word) {
  const std::array<std::string, 1> spellings{std::string(word)};
  if (word.find(' ') != std::string_view::npos) return spellings.front();
  MNEME_ASSIGN_OR_RETURN(std::string written, commonest_spelling(catalogue, spellings));
  return written.empty() ? spellings.front() : written;
}

Status add_synonyms(storage::Catalogue& catalogue, std::string_view question, std::vector<Replacement>& replaced) {
  const bool price = asks_price(question);
  const std::string code_kind = kind_of_code(question);
  const bool permission = asked_permission(question) != Permission::kNone;
  const std::string deed = permission ? asked_predicate(question) : std::string();
  for (const SynonymSpot& spot : synonym_spots(question)) {
    // "À combien s'élève le loyer ?" asks after no élève.
    const std::string folded = folded_text(question.substr(spot.begin, spot.end - spot.begin));
    if (price && is_price_word(folded, language_of(question))) continue;
    if (folded == code_kind || is_earning_word(folded)) continue;
    // "Do I have to bring towels?" asks after no needs.
    if (permission && only_asks_permission(folded_text(question.substr(spot.begin, spot.end - spot.begin)), deed))
      continue;
    if (is_quoted(question, spot.begin) || is_replaced(replaced, spot.begin, spot.end)) continue;
    MNEME_ASSIGN_OR_RETURN(const int64_t count,
                           passages_with(catalogue, question.substr(spot.begin, spot.end - spot.begin)));
    if (count > 0) continue;
    MNEME_ASSIGN_OR_RETURN(const std::string_view synonym, best_synonym(catalogue, question, spot));
    if (synonym.empty()) continue;
    MNEME_ASSIGN_OR_RETURN(std::string written, as_documents_have_it(catalogue, synonym));
    replaced.push_back({spot.begin, spot.end, std::move(written)});
  }
  return {};
}

// Of the variant and the words that belong to the word that which stands beside the question's others: of "börjar" in
// "När börjar avtalet gälla" not "början" anywhere, but "gäller" beside "avtalet".
Result<std::string> best_relative(storage::Catalogue& catalogue, std::string_view question, const Word& word,
                                  std::string variant) {
  SynonymSpot spot{.begin = word.byte_begin, .end = word.byte_end, .synonyms = related_words(word.text)};
  if (spot.synonyms.empty()) return variant;
  spot.synonyms.insert(spot.synonyms.begin(), variant);
  MNEME_ASSIGN_OR_RETURN(const std::string_view best, best_synonym(catalogue, question, spot));
  return best.empty() || best == variant ? variant : as_documents_have_it(catalogue, best);
}

// What documents spell with other letters, names included, or have in other forms.
Result<std::vector<Replacement>> by_variants(storage::Catalogue& catalogue, std::string_view question) {
  std::vector<Replacement> replaced;
  const Language language = language_of(question);
  const bool inflects = !facts_of(language).forms.endings.empty() || language == Language::kUkrainian ||
                        !storage::StopTerms::of(question).may_be_english();
  const bool price = asks_price(question);
  int n_looked_for = 0;
  WordScanner scanner(question);
  for (Word word; n_looked_for < kMostLookedFor && scanner.next(word);) {
    if (word.pair || only_asks(word.text, language) || is_quoted(question, word.byte_begin)) continue;
    if (price && is_price_word(word.text, language)) continue;
    if (is_part_of_name(question, word.byte_begin, word.byte_end)) continue;
    const std::string_view written = question.substr(word.byte_begin, word.byte_end - word.byte_begin);
    MNEME_ASSIGN_OR_RETURN(const int64_t count, passages_with(catalogue, written));
    if (count > 0) continue;
    ++n_looked_for;
    MNEME_ASSIGN_OR_RETURN(std::string variant, commonest_spelling(catalogue, spelling_variants(written)));
    if (variant.empty() && inflects) {
      MNEME_ASSIGN_OR_RETURN(variant, commonest_spelling(catalogue, infinitives_of(word.text)));
    }
    if (variant.empty()) {
      MNEME_ASSIGN_OR_RETURN(
          variant, commonest_spelling(catalogue, inflects ? possible_forms(word.text) : compared_words(word.text)));
      if (!variant.empty() && inflects) {
        MNEME_ASSIGN_OR_RETURN(variant, best_relative(catalogue, question, word, variant));
      }
    }
    if (variant.empty() && makes_compounds(language)) {
      MNEME_ASSIGN_OR_RETURN(variant, parts_of_compound(catalogue, word.text));
    }
    if (!variant.empty()) replaced.push_back({word.byte_begin, word.byte_end, std::move(variant)});
  }
  return replaced;
}

// How many of the terms of a text some passage has.
Result<int64_t> n_known_terms(storage::Catalogue& catalogue, std::string_view text) {
  const std::vector<std::string> terms = storage::lexical_terms(text);
  MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, catalogue.term_document_counts(terms));
  return std::count_if(counts.begin(), counts.end(), [](int64_t count) { return count > 0; });
}

// In the characters, traditional or simplified, that the documents have more of. The first conversion of a process
// costs some 50 ms, of ICU's rules: none is made where the documents have all that is asked.
Result<std::string> in_known_characters(storage::Catalogue& catalogue, std::string_view question) {
  std::string best(question);
  if (!written_without_spaces(question)) return best;
  MNEME_ASSIGN_OR_RETURN(int64_t most, n_known_terms(catalogue, question));
  if (most == static_cast<int64_t>(storage::lexical_terms(question).size())) return best;
  for (const std::string& other : in_other_characters(question)) {
    MNEME_ASSIGN_OR_RETURN(const int64_t n, n_known_terms(catalogue, other));
    if (n <= most) continue;
    most = n;
    best = other;
  }
  return best;
}

// A word of its own that is no slip of another: the embedder has read English, the tables know other languages, too.
bool is_word(const Embedder& embedder, std::string_view folded) {
  return embedder.knows_word(folded) || !related_words(folded).empty();
}

// Names are left alone, since what nobody has heard of may be spelled right; and so is what is written with signs.
Status add_respelled(storage::Catalogue& catalogue, const Embedder& embedder, std::string_view question,
                     std::vector<Replacement>& replaced) {
  int n_looked_for = 0;
  WordScanner scanner(question);
  Word word;
  for (bool first = true; n_looked_for < kMostLookedFor && scanner.next(word); first = false) {
    const bool is_name = !first && question[word.byte_begin] >= 'A' && question[word.byte_begin] <= 'Z';
    const bool alone = !is_part_of_name(question, word.byte_begin, word.byte_end);
    const bool done = is_replaced(replaced, word.byte_begin, word.byte_end);
    if (word.pair || is_name || done || !alone || only_asks(word.text, language_of(question))) continue;
    if (is_quoted(question, word.byte_begin) || is_word(embedder, word.text)) continue;
    MNEME_ASSIGN_OR_RETURN(const int64_t count, passages_with(catalogue, word.text));
    if (count > 0) continue;
    ++n_looked_for;
    MNEME_ASSIGN_OR_RETURN(std::string spelled, as_documents_spell(catalogue, embedder, word.text));
    if (!spelled.empty()) replaced.push_back({word.byte_begin, word.byte_end, std::move(spelled)});
  }
  return {};
}

}  // namespace

Result<Rewording> in_words_of_documents(storage::Catalogue& catalogue, const Embedder& embedder,
                                        std::string_view asked) {
  MNEME_ASSIGN_OR_RETURN(const std::string question, in_known_characters(catalogue, asked));
  MNEME_ASSIGN_OR_RETURN(std::vector<Replacement> replaced, by_variants(catalogue, question));
  MNEME_RETURN_IF_ERROR(add_synonyms(catalogue, question, replaced));
  MNEME_RETURN_IF_ERROR(add_respelled(catalogue, embedder, question, replaced));
  std::sort(replaced.begin(), replaced.end(),
            [](const Replacement& a, const Replacement& b) { return a.begin < b.begin; });
  Rewording reworded;
  size_t copied = 0;
  for (const Replacement& replacement : replaced) {
    const std::string word = question.substr(replacement.begin, replacement.end - replacement.begin);
    reworded.text.append(question, copied, replacement.begin - copied).append(replacement.by);
    copied = replacement.end;
    std::string note = note_for(asked, &NoteTexts::no_passage_says, {{"word", word}, {"other", replacement.by}});
    const bool is_said = std::find(reworded.notes.begin(), reworded.notes.end(), note) != reworded.notes.end();
    if (!is_said) reworded.notes.push_back(std::move(note));
  }
  reworded.text.append(question, copied);
  if (question != asked) reworded.notes.push_back(note_for(asked, &NoteTexts::looked_for, {{"other", question}}));
  return reworded;
}

}  // namespace mneme::rag
