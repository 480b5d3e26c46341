#include "rag/retrieval/asked_words.h"

#include <algorithm>
#include <unordered_set>

#include "rag/text/asked/person.h"
#include "rag/text/asked/quality.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/asked/unsaid_words.h"
#include "rag/text/languages/language.h"
#include "rag/text/quantities/month_names.h"
#include "rag/text/variants/compounds.h"
#include "rag/text/variants/ending_forms.h"
#include "rag/text/variants/joined_verbs.h"
#include "rag/text/variants/related_words.h"
#include "rag/text/variants/trade_groups.h"
#include "rag/text/variants/word_forms.h"
#include "rag/text/words/words.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostWords = 64;     // bits of Held
constexpr size_t kLeastCompound = 9;  // letters

using Terms = std::unordered_set<std::string>;

Terms terms_in(std::string_view text) {
  Terms terms;
  storage::for_each_term(text, storage::TermPurpose::kDocument, [&](const storage::LexicalTerm& term) {
    terms.emplace(term.term);
    return true;
  });
  return terms;
}

// "Schlüsselkasten" where a key lies in a box.
bool is_held_in_parts(std::string_view asked, const Terms& there) {
  if (asked.size() < kLeastCompound || static_cast<unsigned char>(asked.front()) >= 0xE0) return false;
  return std::any_of(there.begin(), there.end(), [&](const std::string& first) {
    return may_begin_compound(asked, first) && std::any_of(there.begin(), there.end(), [&](const std::string& second) {
             return is_compound_of(asked, first, second);
           });
  });
}

// "Kündigung" where the "Kündigungsfrist" is asked for.
bool is_thing_held(std::string_view asked, const Terms& there) {
  const std::string_view thing = thing_of_duration(asked);
  return !thing.empty() && there.contains(std::string(thing));
}

}  // namespace

AskedWords::AskedWords(std::string_view question, const QuestionTerms& weights)
    : language_(language_of(question)), compounds_(makes_compounds(language_)) {
  size_t n_unknown = 0;
  double most = 0.0;
  for (const std::string& term : weights.terms()) {
    if (words_.size() >= kMostWords) break;
    const double weight = weights.idf(term);
    const Held bit = Held{1} << words_.size();
    if (weight > most) rarest_ = 0;
    if (weight >= most && weight > 0.0) rarest_ |= bit;
    most = std::max(most, weight);
    n_unknown += weights.is_seen(term) ? 0 : 1;
    words_.push_back({term, weight, {}});
  }
  if (!words_.empty()) unknown_ = static_cast<double>(n_unknown) / static_cast<double>(words_.size());
  find_relatives(question);
}

void AskedWords::find_relatives(std::string_view question) {
  const std::string quality = asked_quality(question);
  const QuestionKind kind = kind_of_question(question);
  const std::vector<JoinedVerb> joined_nouns = joined_verbs(question);
  WordScanner scanner(question);
  for (rag::Word scanned; scanner.next(scanned);) {
    const std::string term = storage::term_of_word(scanned.text);
    const auto word = std::find_if(words_.begin(), words_.end(), [&](const Word& w) { return w.term == term; });
    if (word == words_.end()) continue;
    for (const std::string_view relative : related_words(scanned.text)) {
      word->relatives.push_back(storage::term_of_word(relative));
    }
    if (asks_for_somebody(question)) {
      for (const std::string_view trade : words_of_trade(scanned.text))
        word->relatives.push_back(storage::term_of_word(trade));
    }
    for (const std::string_view time : words_of_times(kind, scanned.text)) {
      word->relatives.push_back(storage::term_of_word(time));
    }
    for (const JoinedVerb& joined : joined_nouns) {
      if (joined.verb == scanned.text) word->relatives.push_back(storage::term_of_word(joined.noun));
    }
    if (const int month = month_named(scanned.text); month > 0) {
      word->relatives.push_back(month_mark(month));
      has_month_ = true;
    }
    if (scanned.text != quality) continue;
    for (const std::string_view named : words_of_quality(quality)) {
      word->relatives.push_back(storage::term_of_word(named));
    }
  }
}

AskedWords::Held AskedWords::in(std::string_view text) const {
  Terms there = terms_in(text);
  if (has_month_) {
    for (std::string& mark : month_marks(text)) there.insert(std::move(mark));
  }
  const auto holds = [&](const Word& word) {
    const auto has = [&](const std::string& term) { return there.contains(term); };
    const auto is_its_form = [&](const std::string& term) {
      return is_form(word.term, term) || is_ending_form(language_, word.term, term);
    };
    return has(word.term) || std::any_of(word.relatives.begin(), word.relatives.end(), has) ||
           std::any_of(there.begin(), there.end(), is_its_form) || is_held_in_parts(word.term, there) ||
           is_thing_held(word.term, there) ||
           (compounds_ && std::any_of(there.begin(), there.end(), [&](const std::string& term) {
              return is_kind_in(language_, term, word.term) || is_compound_in(language_, term, word.term);
            }));
  };
  Held held = 0;
  for (size_t i = 0; i < words_.size(); ++i) held |= holds(words_[i]) ? Held{1} << i : 0;
  return held;
}

AskedWords::Held AskedWords::of_term(std::string_view term) const {
  const auto word = std::find_if(words_.begin(), words_.end(), [&](const Word& w) { return w.term == term; });
  return word == words_.end() ? 0 : Held{1} << (word - words_.begin());
}

double AskedWords::weight_of(Held held) const {
  double weight = 0.0;
  for (size_t i = 0; i < words_.size(); ++i) weight += (held >> i & 1) != 0 ? words_[i].weight : 0.0;
  return weight;
}

double AskedWords::squared_weight_of(Held held) const {
  double weight = 0.0;
  for (size_t i = 0; i < words_.size(); ++i) {
    weight += (held >> i & 1) != 0 ? words_[i].weight * words_[i].weight : 0.0;
  }
  return weight;
}

bool AskedWords::all_often(std::string_view text, size_t n_times) const {
  std::vector<size_t> counts(words_.size());
  storage::for_each_term(text, storage::TermPurpose::kDocument, [&](const storage::LexicalTerm& term) {
    for (size_t i = 0; i < words_.size(); ++i) counts[i] += term.term == words_[i].term ? 1 : 0;
    return true;
  });
  return std::all_of(counts.begin(), counts.end(), [&](size_t n) { return n >= n_times; });
}

}  // namespace mneme::rag
