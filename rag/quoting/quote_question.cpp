#include "rag/quoting/quote_question.h"

#include <algorithm>

#include "base/ascii.h"
#include "rag/quoting/outline/passage_outline.h"
#include "rag/text/asked/action.h"
#include "rag/text/asked/attribute.h"
#include "rag/text/asked/code.h"
#include "rag/text/asked/default.h"
#include "rag/text/asked/limit.h"
#include "rag/text/asked/matter.h"
#include "rag/text/asked/members.h"
#include "rag/text/asked/predicate.h"
#include "rag/text/asked/price.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/asked/question_words.h"
#include "rag/text/asked/subject.h"
#include "rag/text/asked/unsaid_words.h"
#include "rag/text/quantities/physical_units.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/symbols.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

bool asks_attribute(QuestionKind kind, std::string_view question) {
  return kind == QuestionKind::kAttribute || (kind == QuestionKind::kDefinition && asks_particular(question));
}

bool is_recipe_word(std::string_view folded) {
  constexpr std::string_view kWords[] = {"recipe", "rezept", "recette", "receta", "ricetta", "receita"};
  return one_of(folded, kWords);
}

// "Wie oft", "how often": what answers says "weekly".
bool is_frequency_word(std::string_view folded) {
  constexpr std::string_view kWords[] = {"often",     "frequently", "oft",       "haufig",     "souvent",
                                         "frequence", "frecuencia", "frequenza", "frequencia", "часто"};
  return one_of(folded, kWords);
}

}  // namespace

QuoteQuestion::QuoteQuestion(std::string_view question, std::string_view whole_question, std::string_view leaned_on)
    : text(question),
      whole(whole_question),
      topic(leaned_on),
      language(language_of(question)),
      kind(kind_of_question(question)),
      unit(asked_unit(question)),
      price(asks_price(question) || unit == kMoney),
      named_sum(asks_named_sum(question)),
      limit(kind == QuestionKind::kNumber && asks_limit(question)),
      fallback(asks_default(question)),
      permission(asked_permission(question)),
      deed(permission == Permission::kNone ? std::string() : asked_predicate(question)),
      day(day_asked_for(question)),
      asking(words_that_ask(question)),
      code(asked_code(question)),
      code_kind(kind_of_code(question)),
      asks_steps(asks_what_to_do(question)),
      contact(asked_contact(question)),
      attribute(asks_attribute(kind, question) ? asked_attribute(question) : std::string()),
      thing_text(asked_thing(question)),
      thing(words_of(thing_text)),
      subject(asked_subject(question)),
      names(whole_question, CalledNames::Which::kIdentifiers),
      labels(question),
      document(question),
      members(asked_members(question)),
      short_form(short_form_asked(question)),
      symbols(asked_spellings(question)) {
  const std::string wanted_action = asked_action(question);
  action = stem_of(wanted_action);
  if (kind == QuestionKind::kManner) {
    like_action = like_actions(wanted_action);
    acting.insert(action);
    for (const std::string_view verb : like_action) acting.emplace(stem_of(verb));
  }
  for (const std::string& word : told_matter(question)) told.emplace_back(stem_of(word));
  for (std::string& stem : stems_of(leaned_on)) topic_stems.insert(std::move(stem));
  // Of "a span in OpenTelemetry" the span is asked for: what says what it is need not say whose.
  for (std::string& stem : stems_of(thing_text.empty() ? question : std::string_view(thing_text))) {
    matter.insert(std::move(stem));
  }
}

bool QuoteQuestion::is_measured() const {
  return kind == QuestionKind::kDate || kind == QuestionKind::kNumber || kind == QuestionKind::kDuration ||
         kind == QuestionKind::kFrequency;
}

bool QuoteQuestion::only_asks(std::string_view folded) const {
  return document.only_asks(folded) || (kind == QuestionKind::kDifference && folded.starts_with("differ")) ||
         (kind == QuestionKind::kManner && is_recipe_word(folded)) || folded == day ||
         std::find(asking.begin(), asking.end(), folded) != asking.end() || folded == code_kind ||
         (named_sum && says_which_holds(folded)) ||
         (permission != Permission::kNone && only_asks_permission(folded, deed)) ||
         (kind == QuestionKind::kFrequency && is_frequency_word(folded)) ||
         (price && is_price_word(folded, language)) || is_quantity_word(unit, folded) ||
         (fallback && is_default_word(folded)) || (price && asks_to_reckon(text) && is_sum_word(folded)) ||
         (contact != Contact::kNone && is_contact_word(folded)) || (!told.empty() && is_telling_word(folded));
}

bool QuoteQuestion::is_only_action(const std::vector<std::string>& name) const {
  return !action.empty() && name.size() == 1 && name.front() == action;
}

bool QuoteQuestion::is_told_new_number(std::string_view told) const {
  for (size_t at = 0; at < told.size();) {
    const size_t begin = told.find_first_of("0123456789", at);
    if (begin == std::string_view::npos) return false;
    at = std::min(told.find_first_not_of("0123456789.,", begin), told.size());
    std::string_view number = told.substr(begin, at - begin);
    while (!is_digit(number.back())) number.remove_suffix(1);
    if (text.find(number) == std::string_view::npos) return true;
  }
  return false;
}

}  // namespace mneme::rag
