#include "rag/text/asked/permission.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rag/text/asked/question_words.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kOtherRule = 0.5;

using Rules = RuleWords LanguageFacts::*;

FoldedPhrases phrases_of_rules(PhraseList RuleWords::* list, std::initializer_list<Rules> rules) {
  std::vector<std::string_view> all;
  for (const Rules one : rules) {
    for (const std::string_view phrase : phrases_of_all([&](const LanguageFacts& facts) { return facts.*one.*list; }))
      all.push_back(phrase);
  }
  return FoldedPhrases(all);
}

std::unordered_set<std::string> words_of_rules(WordList RuleWords::* list, Rules rules) {
  return words_of_all([&](const LanguageFacts& facts) { return facts.*rules.*list; });
}

const std::unordered_set<std::string>& permits_closing() {
  static const std::unordered_set<std::string> kWords =
      words_of_rules(&RuleWords::permits_closing, &LanguageFacts::rules);
  return kWords;
}

// In languages whose questions begin in many ways.
const std::unordered_set<std::string>& permits() {
  static const std::unordered_set<std::string> kWords = words_of_rules(&RuleWords::permits, &LanguageFacts::rules);
  return kWords;
}

// Who asks when, how much, who or where asks for no leave.
bool asks_for_more(std::string_view question, const std::string& folded) {
  constexpr Asking kMore[] = {Asking::kDate,  Asking::kNumber, Asking::kDuration,  Asking::kPerson,
                              Asking::kPlace, Asking::kReason, Asking::kFrequency, Asking::kList};
  return std::any_of(std::begin(kMore), std::end(kMore),
                     [&](Asking asking) { return asks_for(asking, question, folded); });
}

Permission asked_without_spaces(std::string_view question, const std::string& folded) {
  static const FoldedPhrases kYesOrNo = phrases_of_rules(&RuleWords::yes_or_no, {&LanguageFacts::rules});
  static const FoldedPhrases kMust = phrases_of_rules(&RuleWords::must_within, {&LanguageFacts::rules});
  static const FoldedPhrases kMay = phrases_of_rules(&RuleWords::may_within, {&LanguageFacts::rules});
  if (!kYesOrNo.any_in(folded) || asks_for_more(question, folded)) return Permission::kNone;
  if (kMust.any_in(folded)) return Permission::kMust;
  return kMay.any_in(folded) ? Permission::kMay : Permission::kNone;
}

// "Sind Hunde erlaubt?", "hühner erlaubt?", "est-ce que les barbecues sont autorisés"
bool asks_by_rule(std::string_view question, const std::string& folded) {
  constexpr std::string_view kBe[] = {" is ", " are ", " ist ", " sind "};
  const std::vector<std::string> words = words_of(question);
  const auto any = [&](const std::unordered_set<std::string>& rules) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return rules.contains(word); });
  };
  const bool begins = std::any_of(std::begin(kBe), std::end(kBe), [&](auto be) { return folded.starts_with(be); });
  const bool short_form = !words.empty() && words.size() <= 3 && permits_closing().contains(words.back());
  if (any(permits_closing()) && (begins || short_form)) return true;
  return any(permits()) && !asks_for_more(question, folded);
}

}  // namespace

namespace {

// In words of the question's own language.
Permission asked_in(Language language, std::string_view question, const std::string& folded) {
  static const PhrasesOfLanguages kMay([](const LanguageFacts& facts) { return facts.own_rules.asking_may; });
  static const PhrasesOfLanguages kMust([](const LanguageFacts& facts) { return facts.own_rules.asking_must; });
  static const PhrasesOfLanguages kPermitting([](const LanguageFacts& facts) { return facts.own_rules.permits; }, " ");
  if (kMust.of(language).any_begins(folded)) return Permission::kMust;
  if (kMay.of(language).any_begins(folded)) return Permission::kMay;
  const bool verbs_close = language == Language::kKorean && !asks_for_more(question, folded);  // "피워도 되나요"
  if (verbs_close && kMust.of(language).any_in(folded)) return Permission::kMust;
  if (verbs_close && kMay.of(language).any_in(folded)) return Permission::kMay;
  const bool permits = kPermitting.of(language).any_in(folded);
  return permits && !asks_for_more(question, folded) ? Permission::kMay : Permission::kNone;
}

// In whatever language.
Permission asked_in_any(const std::string& folded) {
  static const FoldedPhrases kMust = phrases_of_rules(&RuleWords::asking_must, {&LanguageFacts::rules});
  static const FoldedPhrases kMay = phrases_of_rules(&RuleWords::asking_may, {&LanguageFacts::rules});
  if (kMust.any_begins(folded)) return Permission::kMust;
  return kMay.any_begins(folded) ? Permission::kMay : Permission::kNone;
}

}  // namespace

Permission asked_permission(std::string_view question) {
  const std::string folded = " " + folded_text(question) + " ";
  const Permission own = asked_in(language_of(question), question, folded);
  if (own != Permission::kNone) return own;
  if (const Permission any = asked_in_any(folded); any != Permission::kNone) return any;
  if (written_without_spaces(question)) return asked_without_spaces(question, folded);
  return asks_by_rule(question, folded) ? Permission::kMay : Permission::kNone;
}

double ruling_cue(std::string_view sentence, Permission asked) {
  if (asked == Permission::kNone) return 0.0;
  const std::string folded = " " + folded_text(sentence) + " ";
  static const FoldedPhrases kMay =
      phrases_of_rules(&RuleWords::may_rules, {&LanguageFacts::rules, &LanguageFacts::own_rules});
  static const FoldedPhrases kMust =
      phrases_of_rules(&RuleWords::must_rules, {&LanguageFacts::rules, &LanguageFacts::own_rules});
  const bool may = kMay.any_in(folded);
  const bool must = kMust.any_in(folded);
  const bool fits = asked == Permission::kMay ? may : must;
  return fits ? 1.0 : may || must ? kOtherRule : 0.0;
}

bool only_asks_permission(std::string_view folded, std::string_view deed) {
  static const std::unordered_set<std::string> kOwn = [] {
    std::unordered_set<std::string> words = words_of_rules(&RuleWords::permits, &LanguageFacts::own_rules);
    words.merge(words_of_rules(&RuleWords::light_deeds, &LanguageFacts::own_rules));
    return words;
  }();
  static const std::unordered_set<std::string> kLightDeeds =
      words_of_rules(&RuleWords::light_deeds, &LanguageFacts::rules);
  const std::string word(folded);
  return permits_closing().contains(word) || permits().contains(word) || kOwn.contains(word) ||
         (folded == deed && kLightDeeds.contains(word));
}

}  // namespace mneme::rag
