#include "rag/text/asked/question_kind.h"

#include <algorithm>
#include <span>

#include "rag/text/asked/action.h"
#include "rag/text/asked/code.h"
#include "rag/text/asked/permission.h"
#include "rag/text/asked/price.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/asked/question_words.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/dates.h"
#include "rag/text/variants/compounds.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"
#include "rag/text/words/symbols.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongestShortForm = 8;
constexpr size_t kDefinedWords =
    2;  // "what is a wheel file" asks for a definition, "what is the largest lake" does not

// "When" asks for a time where it is the first to ask, or joined to what does: "what happens when it rains?" does not.
constexpr std::string_view kAskBeforeWhen[] = {"what", "why", "how", "who", "which", "where"};
// "What line length": what a number answers.
constexpr std::string_view kMeasures[] = {"length", "height",      "width",      "weight",     "depth",   "size",
                                          "speed",  "temperature", "percentage", "temperatur", "gewicht", "grosse"};
constexpr size_t kMeasureWithin = 3;  // words behind "what"
// "What does PEP stand for?": asking, no part of the thing.
bool asks_meaning(std::string_view folded) {
  return folded == "stand" || folded == "stands" || folded == "mean" || folded == "means";
}

// "What is a trait object in Rust?": whose word it is, not what.
std::string_view without_owner(std::string_view question) {
  constexpr std::string_view kIn = " in ";
  const size_t at = question.rfind(kIn);
  if (at == std::string_view::npos) return question;
  const std::string_view owner = question.substr(at + kIn.size());
  const bool name = !owner.empty() && owner.front() >= 'A' && owner.front() <= 'Z';
  return name && owner.find(' ') == std::string_view::npos ? question.substr(0, at) : question;
}

// "What is Maya allergic to?", "What was the hotel paid with?"
bool ends_with_preposition(const std::string& folded) {
  constexpr std::string_view kPrepositions[] = {" to ", " with ", " from ", " about ", " against ", " at ", " by "};
  return std::any_of(std::begin(kPrepositions), std::end(kPrepositions),
                     [&](std::string_view preposition) { return folded.ends_with(preposition); });
}

// Few words that matter, and none that belongs to another.
bool asks_for_one_thing(std::string_view question, const std::string& folded) {
  if (folded.find(" of ") != std::string::npos || ends_with_preposition(folded)) return false;
  size_t n = 0;
  bool pair = false;
  WordScanner scanner(without_owner(question));
  Word word;
  while (scanner.next(word)) {
    n += is_stop_word(word.text, language_of(question)) ? 0 : 1;
    pair |= word.pair;
  }
  for (const std::string& name : names_with_signs(question)) n -= std::min(n, words_of(name).size() - 1);
  return pair || n <= kDefinedWords;
}

bool asks_measure(std::string_view question) {
  constexpr std::string_view kWhich[] = {"what", "which", "welche", "welches", "welcher"};
  constexpr std::string_view kIs[] = {"is", "are", "was", "were", "the"};  // "what is the size": of which more is told
  size_t behind = kMeasureWithin + 1;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    if (question.substr(word.byte_end).starts_with('_')) continue;  // of a name: "weight_oz"
    if (one_of(word.text, kIs)) behind = kMeasureWithin + 1;
    if (behind++ < kMeasureWithin && one_of(word.text, kMeasures)) return true;
    if (one_of(word.text, kWhich)) behind = 0;
  }
  return false;
}

bool asks_when(const std::string& folded) {
  const size_t at = folded.find(" when ");
  if (at == std::string::npos) return false;
  const std::string before = folded.substr(0, at + 1);
  return before.ends_with(" and ") || before.ends_with(" or ") || !says_any(before, kAskBeforeWhen);
}

// "Welche Kündigungsfrist gilt?"
bool asks_duration_in_one_word(std::string_view question) {
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    if (!thing_of_duration(word.text).empty()) return true;
  }
  return false;
}

// "When do I have to pay?" and "When do we fly?" ask for a day, "When do I need a lock?" for a case.
bool asks_day_of_deed(std::string_view folded) {
  constexpr std::string_view kMust[] = {"have to ", "need to ", "should i ", "should we "};
  constexpr std::string_view kDue[] = {"pay",    "leave",    "return", "hand",   "book",  "send",
                                       "submit", "register", "renew",  "cancel", "apply", "order"};
  constexpr std::string_view kDo[] = {"do i ", "do we "};
  constexpr std::string_view kDeeds[] = {"fly",  "arrive",   "collect", "leave",   "pick up",
                                         "meet", "check in", "move in", "move out"};
  const auto says = [&](std::string_view before, std::string_view deed) {
    return folded.find(std::string(before) + std::string(deed) + " ") != std::string_view::npos;
  };
  const auto says_one = [&](std::span<const std::string_view> before, std::span<const std::string_view> deeds) {
    return std::any_of(before.begin(), before.end(), [&](std::string_view one) {
      return std::any_of(deeds.begin(), deeds.end(), [&](std::string_view deed) { return says(one, deed); });
    });
  };
  return says_one(kMust, kDue) || says_one(kDo, kDeeds) || says("have to ", "be");
}

}  // namespace

// "How do I see who is logged in?" asks for nobody: how to do it is asked, whatever is done.
bool asks_how_to(std::string_view folded) {
  constexpr std::string_view kHowTo[] = {" how do i ",        " how can i ",    " how do you ",    " how can you ",
                                         " how to ",          " wie kann ich ", " wie mache ich ", " comment faire ",
                                         " comment puis je ", " como puedo ",   " come posso ",    " come faccio ",
                                         " como posso ",      " как мне ",      " как можно "};
  return std::any_of(std::begin(kHowTo), std::end(kHowTo),
                     [&](std::string_view how_to) { return folded.starts_with(how_to); });
}

// "Recipe for tomato soup", "hummus recipe": how something is made.
bool asks_recipe(std::string_view folded) {
  constexpr std::string_view kRecipes[] = {"recipe", "rezept", "recette", "receta", "ricetta", "receita"};
  return std::any_of(std::begin(kRecipes), std::end(kRecipes), [&](std::string_view recipe) {
    const std::string word = " " + std::string(recipe) + " ";
    return folded.starts_with(word) || folded.ends_with(word);
  });
}

QuestionKind kind_of_question(std::string_view question) {
  const std::string folded = " " + folded_text(question) + " ";
  const bool how = folded.starts_with(" how ");  // "how do I define it" asks for no definition
  if (asks_how_to(folded) || asks_recipe(folded) || !commanded_action(question).empty()) return QuestionKind::kManner;
  const auto asks = [&](Asking asking) { return asks_for(asking, question, folded); };
  const bool in_case = asks(Asking::kCase) && !asks_day_of_deed(folded);
  const bool in_question = asked_permission(question) != Permission::kNone;  // "Must we paint when we move out?"
  const bool when =
      asks_deadline(question) || ((asks(Asking::kDate) || (asks_when(folded) && !in_question)) && !in_case);
  // 何時 begins 何時間, how many hours.
  if (when && !(written_without_spaces(question) && asks(Asking::kDuration))) return QuestionKind::kDate;
  if (asks(Asking::kFrequency)) return QuestionKind::kFrequency;
  if (asks(Asking::kDuration) || asks_duration_in_one_word(question)) return QuestionKind::kDuration;
  const bool measured = asks_measure(question) || !asked_measure(question).empty() || asks_price(question);
  if (asks(Asking::kNumber) || measured || asks_for_count(question)) return QuestionKind::kNumber;
  if (asks(Asking::kPerson)) return QuestionKind::kPerson;
  if (asks(Asking::kPlace)) return QuestionKind::kPlace;
  if (asks(Asking::kReason)) return QuestionKind::kReason;
  if (asks(Asking::kSteps)) return QuestionKind::kManner;
  if (asks(Asking::kList) && !how) return QuestionKind::kList;
  if (asks(Asking::kDifference)) return QuestionKind::kDifference;
  if (asks(Asking::kDefinition) && !how && !asks(Asking::kDeed)) {
    if (asks_for_one_thing(question, folded)) return QuestionKind::kDefinition;
    return folded.starts_with(" what are the ") ? QuestionKind::kList : QuestionKind::kAttribute;
  }
  return asks(Asking::kManner) ? QuestionKind::kManner : QuestionKind::kOther;
}

namespace {

// What a dish is made of goes by several words, and is asked for without any of them.
bool heads_ingredients(std::string_view asked, std::string_view named) {
  constexpr std::string_view kAsking[] = {
      "ingredient",   "ingredients",     "what do i need", "what goes in",  "what goes into", "what is in",
      "zutaten",      "was brauche ich", "was kommt in",   "was gehort in", "ingredientes",   "ingredienti",
      "que necesito", "que se necesita", "原料",           "材料",          "食材",           "用料",
      "ингредиенты"};
  constexpr std::string_view kHeading[] = {"ingredients", "zutaten", "ingredientes", "ingredienti", "原料",
                                           "材料",        "食材",    "用料",         "ингредиенты", "состав"};
  return says_any(asked, kAsking) && says_any(named, kHeading);
}

}  // namespace

bool heads_asked_list(std::string_view question, std::string_view heading) {
  const std::string asked = " " + folded_text(question) + " ";
  const std::string named = " " + folded_text(heading) + " ";
  if (heads_ingredients(asked, named)) return true;
  const std::span<const std::string> list = asking_words(Asking::kList);
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& word) { return says_phrase(asked, word) && says_phrase(named, word); });
}

bool begins_english_question(std::string_view folded) {
  constexpr std::string_view kBeginnings[] = {"who", "whose", "whom", "what", "when", "where", "which",
                                              "why", "how",   "is",   "are",  "does", "do",    "did"};
  return one_of(folded, kBeginnings);
}

bool asks_what_to_do(std::string_view question) {
  return asks_for(Asking::kSteps, question, " " + folded_text(question) + " ");
}

bool wants_date(std::string_view question) {
  constexpr std::string_view kAsking[] = {
      "when did",       "when was",       "when were",
      "what year",      "which year",     "what date",
      "wann wurde",     "wann war",       "um wie viel uhr",
      "um wieviel uhr", "a quelle heure", "quelle date",
      "a que hora",     "que fecha",      "a che ora",
      "a que horas",    "во сколько",     "какого числа",
      "几点",           "何時に",         "哪天",
      "哪一天",         "几号",           "几月几号",
      "何曜日",         "何月何日",
  };
  static const FoldedPhrases kFolded{kAsking};
  return kFolded.any_in(" " + folded_text(question) + " ");
}

namespace {

// What is left of a question in a script without spaces when the asking is taken off.
std::string thing_without_spaces(std::string_view question) {
  constexpr std::string_view kAsking[] = {"是什么意思",   "什么是",   "是什么", "什麼是", "是什麼",
                                          "とは何ですか", "とは何か", "とは",   "？",     "。",
                                          "！",           "?",        " "};
  std::string thing(question);
  for (const std::string_view asking : kAsking) {
    for (size_t at = thing.find(asking); at != std::string::npos; at = thing.find(asking))
      thing.erase(at, asking.size());
  }
  return thing;
}

// "Type" of "a type hint" and "the unit type", which are part of a name there, not of "what type of hint".
bool is_part_of_name(std::span<const PlacedWord> words, size_t i) {
  constexpr std::string_view kParts[] = {"type", "name", "kind"};
  constexpr std::string_view kAsking[] = {"what", "which", "of"};
  constexpr std::string_view kBefore[] = {"a", "an", "the", "is", "are"};
  if (!one_of(words[i].text, kParts) || i == 0 || one_of(words[i - 1].text, kAsking)) return false;
  const bool ends = i + 1 == words.size();
  if (!ends && is_stop_word(words[i + 1].text)) return false;  // "the type of", "the type in"
  return !ends || !one_of(words[i - 1].text, kBefore);
}

std::string thing_in_words(std::string_view question) {
  std::string thing;
  const Language language = language_of(question);
  const std::vector<std::string> asking = words_that_ask(question);
  const std::string code_kind = kind_of_code(question);
  question = without_owner(question);
  const std::vector<PlacedWord> words = placed_words(question);
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    if (std::find(asking.begin(), asking.end(), word) != asking.end()) continue;
    if ((is_stop_word(word, language) && !is_part_of_name(words, i)) || asks_meaning(word) || word == code_kind)
      continue;
    thing += thing.empty() ? "" : " ";
    thing += question.substr(words[i].begin, words[i].end - words[i].begin);
  }
  return thing;
}

}  // namespace

std::string short_form_asked(std::string_view question) {
  if (kind_of_question(question) != QuestionKind::kDefinition) return {};
  std::string found;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    if (is_stop_word(word.text, language_of(question)) || asks_meaning(word.text)) continue;
    const std::string_view written = question.substr(word.byte_begin, word.byte_end - word.byte_begin);
    const bool capitals = written.size() >= 2 && written.size() <= kLongestShortForm &&
                          std::all_of(written.begin(), written.end(), [](char l) { return l >= 'A' && l <= 'Z'; });
    if (!found.empty() || !capitals) return {};
    found = word.text;
  }
  return found;
}

std::string asked_thing(std::string_view question) {
  if (kind_of_question(question) != QuestionKind::kDefinition) return {};
  return written_without_spaces(question) ? thing_without_spaces(question) : thing_in_words(question);
}

bool asks_particular(std::string_view question) {
  constexpr std::string_view kAsking[] = {
      "what is the",  "what are the",  "what was the",  "what were the", "what s the",    "what s my",
      "what s our",   "what s your",   "what is my",    "what is our",   "what is your",  "what are my",
      "what are our", "what are your", "was ist der",   "was ist die",   "was ist das",   "was sind die",
      "was ist mit",  "was ist mein",  "was ist meine", "was ist unser", "was ist unsere"};
  return says_any(" " + folded_text(question) + " ", kAsking);
}

}  // namespace mneme::rag
