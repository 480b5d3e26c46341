#include "rag/answering/question_kind.h"

#include <algorithm>
#include <array>
#include <span>

#include "rag/text/words.h"

namespace mneme::rag {

namespace {

using Strings = std::span<const std::string_view>;

constexpr double kNamesForSure = 4.0;  // this many new names make a sentence as likely as it gets
constexpr size_t kDefinedWithin = 4;   // a definition names its subject among the first words
constexpr size_t kCopulaWithin = 6;    // ... and says what it is soon after
constexpr size_t kDefinedWords =
    2;  // "what is a wheel file" asks for a definition, "what is the largest lake" does not

// Whole words in a folded text; scripts without spaces are looked for anywhere.
bool says(const std::string& folded, Strings phrases) {
  return std::any_of(phrases.begin(), phrases.end(), [&](std::string_view phrase) {
    if (static_cast<unsigned char>(phrase.front()) >= 0xE0) return folded.find(phrase) != std::string::npos;
    return folded.find(" " + std::string(phrase) + " ") != std::string::npos;
  });
}

constexpr std::string_view kAskDate[] = {
    "when", "what year", "which year", "what date", "what day", "what month", "wann", "quand", "cuando", "когда",
    "متي",  "متى",       "什么时候",   "哪一年",    "哪年",     "何时",       "何年", "いつ",  "何月",   "何日"};
constexpr std::string_view kAskNumber[] = {
    "how many",  "how much", "how long", "how old", "how far",    "how tall", "how big",   "how high",
    "how often", "how fast", "maximum",  "minimum", "limit",      "wie viel", "wie viele", "wie lange",
    "combien",   "cuantos",  "cuantas",  "сколько", "كم",         "多少",     "几",        "多长",
    "多高",      "多大",     "いくつ",   "何人",    "どのくらい", "何個",     "何歳"};
constexpr std::string_view kAskPerson[] = {"who", "whom",  "whose", "wer", "wem",  "wen", "wessen",
                                           "qui", "quien", "кто",   "谁",  "哪位", "誰",  "だれ"};
constexpr std::string_view kAskPlace[] = {"where", "what city", "which city", "what country", "which country", "wo",
                                          "wohin", "woher",     "ou",         "donde",        "где",           "اين",
                                          "哪里",  "何处",      "哪个国家",   "どこ"};
constexpr std::string_view kAskReason[] = {"why",   "purpose", "reason",   "what for", "warum",
                                           "wieso", "wozu",    "pourquoi", "por que",  "почему",
                                           "لماذا", "为什么",  "为何",     "なぜ",     "どうして"};
constexpr std::string_view kAskManner[] = {"how", "wie",  "comment", "como", "как",
                                           "كيف", "怎么", "如何",    "怎样", "どう"};
constexpr std::string_view kAskDefinition[] = {
    "what is",  "what are",  "what was", "what does", "what do", "what s", "define", "meaning of", "was ist",
    "was sind", "qu est ce", "que es",   "что такое", "什么是",  "是什么", "とは",   "ما هو",      "ما هي"};

constexpr std::string_view kMonths[] = {
    "january",   "february", "march",    "april",    "may",       "june",      "july",      "august",
    "september", "october",  "november", "december", "century",   "centuries", "januar",    "februar",
    "marz",      "mai",      "juni",     "juli",     "oktober",   "dezember",  "janvier",   "fevrier",
    "avril",     "juin",     "juillet",  "aout",     "septembre", "octobre",   "enero",     "febrero",
    "abril",     "mayo",     "junio",    "julio",    "agosto",    "octubre",   "noviembre", "diciembre"};
constexpr std::string_view kNumberWords[] = {
    "one",   "two",     "three",    "four",    "five",    "six",  "seven", "eight", "nine", "ten",  "eleven", "twelve",
    "dozen", "hundred", "thousand", "million", "billion", "once", "twice", "half",  "eins", "zwei", "drei",   "vier",
    "funf",  "sechs",   "zehn",     "hundert", "tausend", "deux", "trois", "cinq",  "dix",  "cent", "mille",  "dos",
    "tres",  "cuatro",  "cinco",    "diez",    "cien",    "一",   "二",    "三",    "四",   "五",   "六",     "七",
    "八",    "九",      "十",       "百",      "千",      "万",   "两",    "半"};
constexpr std::string_view kCauses[] = {
    "because",  "since",   "due to",  "so that",   "in order to", "reason",   "reasons", "caused",   "causes",
    "result",   "results", "purpose", "allow",     "allows",      "allowing", "used to", "used for", "intended",
    "designed", "enable",  "enables", "therefore", "thus",        "avoid",    "prevent", "help",     "weil",
    "damit",    "um",      "denn",    "deshalb",   "parce",       "afin",     "porque",  "потому",   "因为",
    "由于",     "以便",    "为了",    "用于",      "用来",        "ため",     "ので",    "から"};
constexpr std::string_view kSteps[] = {"by",    "use", "using", "with", "first", "then", "run",  "indem",
                                       "durch", "mit", "用",    "将",   "先",    "再",   "通过", "使用"};
constexpr std::string_view kCopulas[] = {
    "is",       "are",    "was",      "were",    "means",     "refers",     "denotes",  "describes", "defines",
    "provides", "allows", "lets",     "returns", "specifies", "represents", "contains", "consists",  "does",
    "ist",      "sind",   "bedeutet", "est",     "sont",      "es",         "son"};
constexpr std::string_view kWideCopulas[] = {"是", "指", "とは", "である", "です"};

// Few words that matter, and none that belongs to another.
bool asks_for_one_thing(std::string_view question, const std::string& folded) {
  if (folded.find(" of ") != std::string::npos) return false;
  size_t n = 0;
  bool pair = false;
  WordScanner scanner(question);
  Word word;
  while (scanner.next(word)) {
    n += is_stop_word(word.text) ? 0 : 1;
    pair |= word.pair;
  }
  return pair || n <= kDefinedWords;
}

bool one_of(std::string_view word, Strings words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has_digit(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos;
}

bool has_date(std::string_view sentence, const std::string& folded) {
  size_t run = 0;
  for (const char c : sentence) {
    run = c >= '0' && c <= '9' ? run + 1 : 0;
    if (run == 4) return true;
  }
  if (says(folded, kMonths)) return true;
  constexpr std::string_view kWide[] = {"年", "月", "日"};
  return has_digit(sentence) && says(folded, kWide);
}

// Words with a capital that are neither the sentence's first nor the question's own.
double new_names(std::string_view sentence, const std::unordered_set<std::string>& asked) {
  double names = 0.0;
  WordScanner scanner(sentence);
  Word word;
  for (bool first = true; scanner.next(word); first = false) {
    const char begin = sentence[word.byte_begin];
    if (first || begin < 'A' || begin > 'Z' || is_stop_word(word.text)) continue;
    names += asked.contains(std::string(stem_of(word.text))) ? 0.0 : 1.0;
  }
  return std::min(1.0, names / kNamesForSure);
}

// "A wheel is an archive ...": the subject first, then what it is.
bool defines(std::string_view sentence, const std::string& folded, const std::unordered_set<std::string>& asked) {
  size_t subject = std::string::npos;
  size_t at = 0;
  WordScanner scanner(sentence);
  Word word;
  for (; scanner.next(word); ++at) {
    if (subject == std::string::npos) {
      if (at >= kDefinedWithin) return false;
      if (!is_stop_word(word.text) && asked.contains(std::string(stem_of(word.text)))) {
        subject = at;
        if (word.pair) return says(folded, kWideCopulas);
      }
      continue;
    }
    if (at > subject + kCopulaWithin) return false;
    if (one_of(word.text, kCopulas)) return true;
  }
  return false;
}

}  // namespace

QuestionKind kind_of_question(std::string_view question) {
  const std::string folded = " " + folded_text(question) + " ";
  if (says(folded, kAskDate)) return QuestionKind::kDate;
  if (says(folded, kAskNumber)) return QuestionKind::kNumber;
  if (says(folded, kAskPerson)) return QuestionKind::kPerson;
  if (says(folded, kAskPlace)) return QuestionKind::kPlace;
  if (says(folded, kAskReason)) return QuestionKind::kReason;
  if (says(folded, kAskDefinition) && asks_for_one_thing(question, folded)) return QuestionKind::kDefinition;
  return says(folded, kAskManner) ? QuestionKind::kManner : QuestionKind::kOther;
}

double answer_cue(QuestionKind kind, std::string_view sentence, const std::unordered_set<std::string>& asked) {
  const std::string folded = " " + folded_text(sentence) + " ";
  switch (kind) {
    case QuestionKind::kDate: return has_date(sentence, folded) ? 1.0 : 0.0;
    case QuestionKind::kNumber: return has_digit(sentence) || says(folded, kNumberWords) ? 1.0 : 0.0;
    case QuestionKind::kPerson:
    case QuestionKind::kPlace: return new_names(sentence, asked);
    case QuestionKind::kReason: return says(folded, kCauses) ? 1.0 : defines(sentence, folded, asked) ? 0.5 : 0.0;
    case QuestionKind::kManner: return says(folded, kCauses) || says(folded, kSteps) ? 1.0 : 0.0;
    case QuestionKind::kDefinition: return defines(sentence, folded, asked) ? 1.0 : 0.0;
    case QuestionKind::kOther: return 0.0;
  }
  return 0.0;
}

}  // namespace mneme::rag
