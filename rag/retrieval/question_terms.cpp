#include "rag/retrieval/question_terms.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "rag/retrieval/asked_names.h"
#include "rag/retrieval/passage_scorer.h"
#include "rag/text/asked/action.h"
#include "rag/text/asked/code.h"
#include "rag/text/asked/contact.h"
#include "rag/text/asked/default.h"
#include "rag/text/asked/permission.h"
#include "rag/text/asked/predicate.h"
#include "rag/text/asked/price.h"
#include "rag/text/asked/quality.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/asked/question_words.h"
#include "rag/text/asked/subject.h"
#include "rag/text/asked/unsaid_words.h"
#include "rag/text/languages/elision.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/languages/unspaced_words.h"
#include "rag/text/words/words.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr int64_t kLeastJudged = 1000;  // about what the judge's weights were fitted on
constexpr double kUnseenName = 2.0;
constexpr double kUnsaid = 0.1;

bool is_unspaced(std::string_view term) {
  return static_cast<unsigned char>(term.front()) >= 0xE0;
}

bool is_one_character(std::string_view term) {
  size_t at = 0;
  utf8::next(term, at);
  return at == term.size();
}

// Endings of verbs change: "飼っ" of 飼う is no word that nobody says.
bool holds_hiragana(std::string_view term) {
  for (size_t at = 0; at < term.size();) {
    const char32_t c = utf8::next(term, at);
    if (c >= 0x3041 && c <= 0x309F) return true;
  }
  return false;
}

}  // namespace

Result<QuestionTerms> QuestionTerms::weigh(storage::Catalogue& catalogue, std::string_view question) {
  QuestionTerms weighed;
  weighed.terms_ = PassageScorer::terms_of(question);
  if (weighed.terms_.empty()) return weighed;
  MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, catalogue.term_document_counts(weighed.terms_));
  MNEME_ASSIGN_OR_RETURN(weighed.n_passages_, catalogue.n_chunks());
  for (size_t i = 0; i < weighed.terms_.size(); ++i) weighed.weights_[weighed.terms_[i]].count = counts[i];
  weighed.weigh_counts();
  return weighed;
}

QuestionTerms QuestionTerms::judged(std::string_view question) const {
  QuestionTerms weighed = *this;
  weighed.n_passages_ = std::max(n_passages_, kLeastJudged);
  weighed.weigh_counts();
  weighed.weigh_unspaced(question);
  weighed.leave_out_asking(question);
  weighed.lighten_excluded(question);
  weighed.lighten_unsaid(question);
  for (const AskedName& name : proper_names(question)) {
    for (const std::string& term : name.terms) {
      const auto at = weighed.weights_.find(term);
      if (at != weighed.weights_.end() && at->second.count == 0) at->second.idf *= kUnseenName;
    }
  }
  return weighed;
}

// Without spaces: of the pairs of one word those that no passage has are missed, those of grammar say nothing.
void QuestionTerms::weigh_unspaced(std::string_view question) {
  if (!written_without_spaces(question)) return;
  using Place = UnspacedWords::Place;
  const UnspacedWords words(question);
  std::unordered_map<std::string, Place> places;
  storage::for_each_term(question, storage::TermPurpose::kQuery, [&](const storage::LexicalTerm& term) {
    const Place place = words.place_of(term.byte_begin, term.byte_end);
    const auto [at, is_new] = places.emplace(term.term, place);
    if (!is_new && place == Place::kWithin) at->second = place;
    return true;
  });
  const auto is_within = [&](const auto& entry) { return places[entry.first] == Place::kWithin; };
  if (std::none_of(weights_.begin(), weights_.end(), is_within)) return;
  for (auto& [term, weight] : weights_) {
    if (!is_unspaced(term)) continue;
    const Place place = places[term];
    const bool closes = place == Place::kWithin && is_one_character(term);  // its pair tells
    if (place == Place::kGrammar || closes) weight.idf = 0.0;
    if (place == Place::kWithin && !closes && weight.count == 0 && !holds_hiragana(term)) weight.idf = unseen_;
  }
}

// "How much did the theatre cost" is answered without "much" and "cost". What is nothing but asking keeps its weights.
void QuestionTerms::leave_out_asking(std::string_view question) {
  const Language language = language_of(question);
  const std::string measure = asked_measure(question);
  const bool price = asks_price(question);
  const bool sums = price && asks_to_reckon(question);
  const bool contact = asked_contact(question) != Contact::kNone;
  const bool likeness = asks_likeness(question);
  const std::string action = asked_action(question);
  const QuestionKind kind = kind_of_question(question);
  const bool fallback = asks_default(question);
  const bool looks = kind == QuestionKind::kManner && only_looks(action);
  const bool permission = asked_permission(question) != Permission::kNone;
  const std::string deed = permission ? asked_predicate(question) : std::string();
  const std::string day = day_asked_for(question);
  const std::string code_kind = kind_of_code(question);
  const std::vector<std::string> phrase = words_that_ask(question);
  std::vector<std::string> asking;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    const bool only_asks = is_stop_word(word.text, language) || is_elided(question, word) || word.text == measure ||
                           (price && is_price_word(word.text, language)) || (sums && is_sum_word(word.text)) ||
                           (contact && is_contact_word(word.text)) || need_not_be_said(kind, word.text) ||
                           (fallback && is_default_word(word.text)) || (looks && word.text == action) ||
                           word.text == day || std::find(phrase.begin(), phrase.end(), word.text) != phrase.end() ||
                           word.text == code_kind || (permission && only_asks_permission(word.text, deed)) ||
                           (likeness && is_likeness_word(word.text));
    if (!word.pair && only_asks) asking.push_back(storage::term_of_word(word.text));
  }
  const auto asks = [&](const auto& entry) {
    return std::find(asking.begin(), asking.end(), entry.first) != asking.end();
  };
  if (std::all_of(weights_.begin(), weights_.end(), asks)) return;
  for (auto& entry : weights_) entry.second.idf = asks(entry) ? 0.0 : entry.second.idf;
}

// "How long does the clock run without power?"
void QuestionTerms::lighten_excluded(std::string_view question) {
  double share = 1.0;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    const auto at = weights_.find(storage::term_of_word(word.text));
    if (share < 1.0 && at != weights_.end()) at->second.idf *= at->second.count > 0 ? share : 0.0;
    if (excludes(word.text)) share = kExcluded;
  }
}

// "Where is the descaler stored?" is answered by "It is kept under the sink": what happens to a thing is told in many
// words, the thing itself in few. Nor need it be said that what is a number of something is its value. Where the
// documents know anything else not that is asked for, it is too much that they do not say.
void QuestionTerms::lighten_unsaid(std::string_view question) {
  lighten_verbs(question);
  const std::string predicate = asked_predicate(question);
  std::vector<double*> unsaid;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    const auto at = weights_.find(storage::term_of_word(word.text));
    const bool may_be = word.text == predicate || names_kind_of_answer(word.text);
    if (may_be && at != weights_.end() && at->second.count == 0) unsaid.push_back(&at->second.idf);
  }
  const auto n_unknown = std::count_if(weights_.begin(), weights_.end(), [](const auto& word) {
    return word.second.count == 0 && word.second.idf > 0.0;
  });
  if (static_cast<size_t>(n_unknown) > unsaid.size()) return;
  for (double* const idf : unsaid) *idf *= kUnsaid;
}

// "Где мы живём", "¿Dónde nos alojamos?": by their endings verbs of who asks, which documents tell of in other persons.
void QuestionTerms::lighten_verbs(std::string_view question) {
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    const auto at = weights_.find(storage::term_of_word(word.text));
    if (at != weights_.end() && at->second.count == 0 && is_verb_of_asker(word.text)) {
      at->second.idf *= kUnsaid;
    }
  }
}

void QuestionTerms::weigh_counts() {
  const auto idf = [&](int64_t count) {
    return std::log(1.0 + (static_cast<double>(n_passages_) + 0.5) / (static_cast<double>(count) + 0.5));
  };
  unseen_ = idf(0);
  for (auto& [term, weight] : weights_) {
    // Pairs of characters that occur nowhere mostly lie across the border of two words: they say nothing.
    weight.idf = weight.count == 0 && is_unspaced(term) ? 0.0 : idf(weight.count);
  }
}

double QuestionTerms::idf(std::string_view term) const {
  const auto at = weights_.find(std::string(term));
  return at == weights_.end() ? 0.0 : at->second.idf;
}

bool QuestionTerms::is_seen(std::string_view term) const {
  const auto at = weights_.find(std::string(term));
  return at != weights_.end() && at->second.count > 0;
}

}  // namespace mneme::rag
