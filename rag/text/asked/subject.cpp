#include "rag/text/asked/subject.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_set>

#include "rag/text/asked/quality.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kCopulaWithin = 3;  // words: "how long is", "wie lang ist"
constexpr size_t kMoreNames = 2;     // behind the first of an owner
constexpr std::string_view kAsking[] = {"what", "which", "who", "when",   "where",   "how",     "was",     "wer",
                                        "wann", "wo",    "wie", "welche", "welcher", "welches", "wieviele"};
constexpr std::string_view kCost[] = {"cost", "costs"};
constexpr std::string_view kWhich[] = {"what", "which", "welche", "welcher", "welches"};
constexpr std::string_view kCopulas[] = {"is",   "are", "was",   "were",   "s",     "ist",
                                         "sind", "war", "waren", "heisst", "lautet"};
constexpr std::string_view kHas[] = {"hat", "haben"};  // "Welche Farbe hat das Tor?"
constexpr std::string_view kArticles[] = {"the", "my",  "our", "your", "his",   "her",   "their",  "its", "a",   "an",
                                          "der", "die", "das", "mein", "meine", "unser", "unsere", "ein", "eine"};
// What stands for an asking word: the answer shows a day, a number or somebody without naming it so.
constexpr std::string_view kOnlyAsk[] = {
    "people", "persons", "personen", "leute",     "menschen", "times",      "mal",        "person",
    "man",    "woman",   "guy",      "thing",     "mann",     "frau",       "mensch",     "ding",
    "date",   "day",     "time",     "year",      "month",    "place",      "address",    "number",
    "amount", "reason",  "purpose",  "title",     "meaning",  "value",      "difference", "datum",
    "tag",    "uhrzeit", "jahr",     "monat",     "ort",      "adresse",    "nummer",     "anschrift",
    "betrag", "grund",   "titel",    "bedeutung", "wert",     "unterschied"};
// ... where nothing calls it so: "What is my ferritin level?", "Who is the new treasurer?"
constexpr std::string_view kNeedNotBeSaid[] = {"level",   "reading",  "range",     "stand",    "spiegel", "new",
                                               "current", "neu",      "neue",      "neuer",    "neues",   "neuen",
                                               "aktuell", "aktuelle", "aktuellen", "aktueller"};

// From `first` up to the next word of grammar.
std::vector<std::string> phrase_at(std::span<const std::string> words, size_t first) {
  std::vector<std::string> phrase;
  for (size_t i = first; i < words.size() && !is_stop_word(words[i]); ++i) phrase.push_back(words[i]);
  return phrase;
}

// "What does the van cost?", "Was kostet der Kurs?": where what has the price begins; 0 in other questions.
size_t behind_price(const std::vector<std::string>& words) {
  constexpr std::string_view kDoes[] = {"does", "do", "did"};
  constexpr std::string_view kKosten[] = {"kostet", "kosten", "kostete"};
  size_t at = 0;
  if (words.size() > 2 && words[0] == "was" && one_of(words[1], kKosten)) at = 2;
  if (words.size() > 3 && words[0] == "what" && one_of(words[1], kDoes) && one_of(words.back(), kCost)) at = 2;
  if (words.size() > 4 && words[0] == "how" && words[1] == "much" && one_of(words[2], kDoes) &&
      one_of(words.back(), kCost))
    at = 3;
  if (at > 0 && at < words.size() && one_of(words[at], kArticles)) ++at;
  return at < words.size() ? at : 0;
}

// "Combien coûte la place de parking ?", "сколько стоит страховка квартиры", "كم سعر الموقف": what has the price, with
// what it is of.
std::vector<std::string> priced_elsewhere(const std::vector<std::string>& words) {
  constexpr std::string_view kPricing[] = {"coute",  "coutent", "cuesta", "cuestan",  "vale",      "costa", "costano",
                                           "custa",  "custam",  "стоит",  "стоят",    "стоимость", "цена",  "prix",
                                           "precio", "prezzo",  "preco",  "kosztuje", "سعر",       "ثمن",   "تكلفه"};
  constexpr std::string_view kAsking[] = {"combien", "cuanto", "quanto", "сколько", "quel", "que", "какая",
                                          "какова",  "qual",   "quale",  "ile",     "كم",   "ما"};
  constexpr std::string_view kJoining[] = {"le",    "la",   "les", "l",   "un",  "une", "de", "du",  "des",
                                           "d",     "el",   "los", "las", "del", "il",  "lo", "gli", "di",
                                           "della", "dell", "o",   "a",   "os",  "as",  "do", "da"};
  const auto asking = std::find_if(words.begin(), words.end(), [&](const auto& word) { return one_of(word, kAsking); });
  const auto pricing = std::find_if(asking, words.end(), [&](const auto& word) { return one_of(word, kPricing); });
  if (asking == words.end() || pricing == words.end()) return {};
  std::vector<std::string> subject;
  for (auto at = pricing + 1; at != words.end(); ++at) {
    if (one_of(*at, kJoining)) continue;
    if (is_stop_word(*at)) break;
    subject.push_back(*at);
  }
  return subject;
}

}  // namespace

std::vector<std::string> asked_subject(std::string_view question) {
  if (written_without_spaces(question) || asks_likeness(question)) return {};
  const std::vector<std::string> words = words_of(question);
  if (std::vector<std::string> priced = priced_elsewhere(words); !priced.empty()) return priced;
  if (words.size() < 2 || !one_of(words.front(), kAsking)) return {};
  std::vector<std::string> subject;
  if (const size_t priced = behind_price(words); priced > 0) {
    subject = phrase_at(words, priced);
    if (!subject.empty() && one_of(subject.back(), kCost)) subject.pop_back();
  } else if (asks_how_many(question)) {
    const size_t counted = words.front() == "how" || words.front() == "wie" ? 2 : 1;
    subject = phrase_at(words, counted);
  } else if (one_of(words.front(), kWhich) && !is_stop_word(words[1])) {
    subject = phrase_at(words, 1);
    const size_t behind = 1 + subject.size();
    if (behind >= words.size() || !(one_of(words[behind], kCopulas) || one_of(words[behind], kHas))) return {};
    if (!asked_quality(question).empty()) return {};
  } else {
    size_t copula = 1;
    while (copula < std::min(words.size(), kCopulaWithin) && !one_of(words[copula], kCopulas)) ++copula;
    const bool states = copula + 1 < words.size() && one_of(words[copula], kCopulas);
    size_t owner = copula + 2;  // "Hanna's blood pressure", "Ruth Amsel's"
    while (owner < std::min(words.size(), copula + 2 + kMoreNames) && words[owner] != "s") ++owner;
    const bool owned = owner < words.size() && words[owner] == "s";
    if (states && owned) subject = phrase_at(words, owner + 1);
    if (states && !owned && one_of(words[copula + 1], kArticles)) subject = phrase_at(words, copula + 2);
  }
  const bool only_asks =
      std::any_of(subject.begin(), subject.end(), [](const std::string& word) { return one_of(word, kOnlyAsk); });
  return only_asks ? std::vector<std::string>() : subject;
}

std::vector<std::string> asked_whole(std::string_view question) {
  constexpr std::string_view kOf[] = {"of", "for", "vom", "von", "der", "des", "fur"};
  const std::vector<std::string> subject = asked_subject(question);
  const std::vector<std::string> words = words_of(question);
  const auto found = std::search(words.begin(), words.end(), subject.begin(), subject.end());
  auto at = subject.empty() || found == words.end() ? words.end() : found + static_cast<std::ptrdiff_t>(subject.size());
  if (at == words.end() || !one_of(*at, kOf)) return {};
  ++at;
  if (at != words.end() && (one_of(*at, kArticles) || one_of(*at, kOf))) ++at;
  return phrase_at(words, static_cast<size_t>(at - words.begin()));
}

std::vector<std::string> asked_owner(std::string_view question) {
  std::vector<std::string> name;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    const bool owns = word.text == "s" && word.byte_begin > 0 && question[word.byte_begin - 1] != ' ';
    if (owns && !name.empty()) return name;
    const char begins = question[word.byte_begin];
    const bool capital = begins >= 'A' && begins <= 'Z' && word.byte_begin > 0;
    if (capital && !is_stop_word(word.text)) {
      name.emplace_back(word.text);
    } else {
      name.clear();
    }
  }
  return {};
}

bool asks_named_sum(std::string_view question) {
  static const PhrasesOfLanguages kOwn(&LanguageFacts::sums, " ");
  const auto tells = [](Language language, const std::string& word) { return kOwn.of(language).holds(word); };
  const std::vector<std::string> subject = asked_subject(question);
  if (!subject.empty()) return tells(Language::kEnglish, subject.back()) || tells(Language::kGerman, subject.back());
  const Language language = language_of(question);
  const bool told = language == Language::kEnglish || language == Language::kGerman;  // by its subject alone
  if (told || asked_measure(question).empty()) return false;
  const std::vector<std::string> words = words_of(question);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return tells(language, word); });
}

bool says_which_holds(std::string_view folded) {
  constexpr std::string_view kWords[] = {"new",   "current", "present",  "neue",
                                         "neuer", "neues",   "aktuelle", "aktueller"};
  return one_of(folded, kWords);
}

bool names_kind_of_answer(std::string_view folded) {
  static const std::unordered_set<std::string> kValues = words_of_all(&LanguageFacts::values);
  return one_of(folded, kOnlyAsk) || one_of(folded, kNeedNotBeSaid) || kValues.contains(std::string(folded));
}

}  // namespace mneme::rag
