#include "rag/text/question_kind.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/ascii.h"
#include "rag/text/definitions.h"
#include "rag/text/phrases.h"
#include "rag/text/quantities.h"
#include "rag/text/stop_words.h"
#include "rag/text/symbols.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

using Strings = std::span<const std::string_view>;

constexpr double kNamesForSure = 4.0;  // this many new names make a sentence as likely as it gets
constexpr double kHalfDuration = 0.3;  // a number without a unit of time: bridges are long too
constexpr double kHalfEnumerated = 0.3;
constexpr double kOnlyNamed = 0.6;  // two things in one sentence that does not say how they differ
constexpr size_t kLongestShortForm = 8;
constexpr size_t kDefinedWords =
    2;  // "what is a wheel file" asks for a definition, "what is the largest lake" does not

constexpr std::string_view kAskDate[] = {
    "what year", "which year", "what date", "what day", "what month", "wann", "quand", "cuando", "когда", "متي",
    "متى",       "什么时候",   "哪一年",    "哪年",     "何时",       "何年", "いつ",  "何月",   "何日"};
// "When" asks for a time where it is the first to ask, or joined to what does: "what happens when it rains?" does not.
constexpr std::string_view kAskBeforeWhen[] = {"what", "why", "how", "who", "which", "where"};
// In which case, not at what time.
constexpr std::string_view kAskCase[] = {"when should i", "when should you", "when should we", "when do i",
                                         "when do you",   "when do we",      "when to",        "when can i"};
constexpr std::string_view kAskNumber[] = {
    "how many",  "how much", "how long", "how old", "how far", "how tall",   "how big",   "how high",
    "how often", "how fast", "maximum",  "minimum", "limit",   "wie viel",   "wie viele", "wie lange",
    "combien",   "cuantos",  "cuantas",  "сколько", "كم",      "多少",       "几",        "多长",
    "多久",      "多高",     "多大",     "いくつ",  "何人",    "どのくらい", "何個",      "何歳"};
constexpr std::string_view kAskDuration[] = {"how long",  "wie lange", "combien de temps", "cuanto tiempo",
                                             "как долго", "多久",      "多长时间",         "何分",
                                             "何時間",    "何秒"};
constexpr std::string_view kAskPerson[] = {"who", "whom",  "whose", "wer", "wem",  "wen", "wessen",
                                           "qui", "quien", "кто",   "谁",  "哪位", "誰",  "だれ"};
constexpr std::string_view kAskPlace[] = {"where", "what city", "which city", "what country", "which country", "wo",
                                          "wohin", "woher",     "ou",         "donde",        "где",           "اين",
                                          "哪里",  "何处",      "哪个国家",   "どこ"};
constexpr std::string_view kAskReason[] = {"why",    "purpose", "reason",   "what for", "warum",  "how come",
                                           "wieso",  "wozu",    "pourquoi", "por que",  "почему", "لماذا",
                                           "为什么", "为何",    "なぜ",     "どうして"};
constexpr std::string_view kAskManner[] = {"how", "wie",  "comment", "como", "как",
                                           "كيف", "怎么", "如何",    "怎样", "どう"};
constexpr std::string_view kAskSteps[] = {"steps of",
                                          "steps to",
                                          "steps for",
                                          "what should i do",
                                          "what do i do",
                                          "what to do",
                                          "what must i do",
                                          "what can i do",
                                          "what should we do",
                                          "was tun",
                                          "was mache ich",
                                          "步骤",
                                          "做法",
                                          "作り方",
                                          "手順"};
// "What line length": what a number answers.
constexpr std::string_view kMeasures[] = {"length", "height",      "width",      "weight",     "depth",   "size",
                                          "speed",  "temperature", "percentage", "temperatur", "gewicht", "grosse"};
constexpr size_t kMeasureWithin = 3;  // words behind "what"
constexpr std::string_view kAskList[] = {"ingredient",
                                         "ingredients",
                                         "list the",
                                         "what do i need",
                                         "what comes",
                                         "what is in",
                                         "what does it contain",
                                         "come with",
                                         "comes with",
                                         "which kinds",
                                         "what kinds",
                                         "which types",
                                         "what types",
                                         "which tools",
                                         "what tools",
                                         "zutaten",
                                         "welche zutaten",
                                         "was brauche ich",
                                         "werkzeug",
                                         "werkzeuge",
                                         "que faut il",
                                         "ingredientes",
                                         "原料",
                                         "材料",
                                         "食材",
                                         "需要哪些",
                                         "有哪些",
                                         "包括哪些",
                                         "何が必要"};
constexpr std::string_view kAskDefinition[] = {
    "what is",   "what are",   "what was", "what does", "what do",      "what s",       "define",        "meaning of",
    "stand for", "stands for", "was ist",  "was sind",  "was bedeutet", "que signifie", "que significa", "qu est ce",
    "que es",    "что такое",  "什么是",   "是什么",    "とは",         "ما هو",        "ما هي"};

// "What do we sing?": what somebody does.
constexpr std::string_view kAskDeed[] = {"what do i",    "what do you",   "what do we",  "what do they",
                                         "what does he", "what does she", "what did i",  "what did you",
                                         "what did we",  "what did they", "what did he", "what did she"};

constexpr std::string_view kAskDifference[] = {"difference between",
                                               "differences between",
                                               "differ from",
                                               "differs from",
                                               "differ",
                                               "unterschied zwischen",
                                               "difference entre",
                                               "diferencia entre",
                                               "versus",
                                               "vs",
                                               "区别",
                                               "不同",
                                               "違い"};
constexpr std::string_view kContrasts[] = {"while",      "whereas",  "but",     "unlike",  "instead", "rather",
                                           "than",       "differ",   "differs", "either",  "both",    "different",
                                           "difference", "contrast", "however", "sondern", "dagegen", "tandis",
                                           "mientras",   "而",       "区别",    "不同",    "違い",    "一方"};
constexpr std::string_view kMonths[] = {
    "january",   "february", "march",    "april",    "may",       "june",      "july",      "august",
    "september", "october",  "november", "december", "century",   "centuries", "januar",    "februar",
    "marz",      "mai",      "juni",     "juli",     "oktober",   "dezember",  "janvier",   "fevrier",
    "avril",     "juin",     "juillet",  "aout",     "septembre", "octobre",   "enero",     "febrero",
    "abril",     "mayo",     "junio",    "julio",    "agosto",    "octubre",   "noviembre", "diciembre"};
constexpr std::string_view kWeekdays[] = {
    "monday",    "tuesday",    "wednesday",   "thursday",   "friday",    "saturday", "sunday",  "mondays",
    "tuesdays",  "wednesdays", "thursdays",   "fridays",    "saturdays", "sundays",  "weekend", "weekdays",
    "montag",    "dienstag",   "mittwoch",    "donnerstag", "freitag",   "samstag",  "sonntag", "montags",
    "dienstags", "mittwochs",  "donnerstags", "freitags",   "samstags",  "sonntags", "lundi",   "mardi",
    "mercredi",  "jeudi",      "vendredi",    "samedi",     "dimanche",  "lunes",    "martes",  "miercoles",
    "jueves",    "viernes",    "sabado",      "domingo"};
// Days that come again: "due on the first working day of the month".
constexpr std::string_view kRecurring[] = {"working day",      "business day",      "werktag",
                                           "day of the month", "day of each month", "day of every month",
                                           "end of the month", "end of each month", "monatsende",
                                           "ende des monats",  "jour du mois",      "fin du mois"};
constexpr std::string_view kTimeUnits[] = {
    "second", "seconds",  "minute", "minutes", "min",     "mins",  "hour",     "hours",   "day",    "days",
    "week",   "weeks",    "month",  "months",  "year",    "years", "sekunden", "minuten", "stunde", "stunden",
    "tag",    "tage",     "tagen",  "wochen",  "monate",  "jahre", "jahren",   "heure",   "heures", "jour",
    "jours",  "semaines", "mois",   "ans",     "minutos", "horas", "dias",     "semanas", "anos",   "минут",
    "часов",  "часа",     "дней",   "лет",     "دقيقة",   "ساعة",  "秒",       "分钟",    "分鐘",   "小时",
    "小時",   "天",       "周",     "个月",    "年",      "分間",  "時間",     "日間",    "週間"};
constexpr std::string_view kCauses[] = {
    "because",  "since",     "due to",   "so that",  "in order to", "reason",    "reasons",  "caused",
    "causes",   "result",    "results",  "purpose",  "allow",       "allows",    "allowing", "used to",
    "used for", "intended",  "designed", "enable",   "enables",     "therefore", "thus",     "avoid",
    "prevent",  "help",      "so",       "attempts", "aims",        "goal",      "meant to", "remedy",
    "remedies", "otherwise", "or else",  "makes",    "weil",        "sonst",     "damit",    "um",
    "denn",     "deshalb",   "parce",    "afin",     "porque",      "потому",    "因为",     "由于",
    "以便",     "为了",      "用于",     "用来",     "ため",        "ので",      "から"};
constexpr std::string_view kSteps[] = {"by",    "use", "using", "with", "first", "then", "run",  "indem",
                                       "durch", "mit", "用",    "将",   "先",    "再",   "通过", "使用"};

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

// Few words that matter, and none that belongs to another.
bool asks_for_one_thing(std::string_view question, const std::string& folded) {
  if (folded.find(" of ") != std::string::npos) return false;
  size_t n = 0;
  bool pair = false;
  WordScanner scanner(without_owner(question));
  Word word;
  while (scanner.next(word)) {
    n += is_stop_word(word.text) ? 0 : 1;
    pair |= word.pair;
  }
  for (const std::string& name : names_with_signs(question)) n -= std::min(n, words_of(name).size() - 1);
  return pair || n <= kDefinedWords;
}

bool one_of(std::string_view word, Strings words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool asks_measure(std::string_view question) {
  constexpr std::string_view kWhich[] = {"what", "which", "welche", "welches", "welcher"};
  constexpr std::string_view kIs[] = {"is", "are", "was", "were", "the"};  // "what is the size": of which more is told
  size_t behind = kMeasureWithin + 1;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
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

// A number of four digits that stands by itself and can be a year: "1953", not "RFC 3107" or "pep-0008".
bool has_year(std::string_view sentence) {
  for (size_t at = 0; at < sentence.size();) {
    if (sentence[at] < '0' || sentence[at] > '9') {
      ++at;
      continue;
    }
    const size_t end = std::min(sentence.find_first_not_of("0123456789", at), sentence.size());
    if (end - at == 4 && (sentence[at] == '1' || sentence.substr(at, 2) == "20")) return true;
    at = end;
  }
  return false;
}

// "the 3rd of each month", "on the 12th".
bool has_day_of_month(const std::string& folded) {
  for (const std::string_view ending : {"st ", "nd ", "rd ", "th "}) {
    for (size_t at = folded.find(ending); at != std::string::npos; at = folded.find(ending, at + 1)) {
      const size_t first = folded.find_last_not_of("0123456789", at - 1) + 1;
      const std::string_view behind = std::string_view(folded).substr(at + ending.size());
      if (at - first >= 1 && at - first <= 2 &&
          (behind.empty() || behind.starts_with("of ") || behind.starts_with("day")))
        return true;
    }
  }
  return false;
}

// "20.2.", "3/14": day and month, parted by the same sign that ends or begins no longer number.
bool has_day_and_month(std::string_view sentence) {
  const auto digits_at = [&](size_t at) {
    size_t n = 0;
    while (at + n < sentence.size() && is_digit(sentence[at + n])) ++n;
    return n;
  };
  for (size_t at = 0; at < sentence.size();) {
    const size_t first = digits_at(at);
    const size_t sign = at + first;
    const bool parted =
        first >= 1 && first <= 2 && sign < sentence.size() && (sentence[sign] == '.' || sentence[sign] == '/');
    const size_t second = parted ? digits_at(sign + 1) : 0;
    const size_t behind = sign + 1 + second;
    const bool dotted = parted && sentence[sign] == '.' && behind < sentence.size() && sentence[behind] == '.';
    const bool slashed = parted && sentence[sign] == '/' && (behind >= sentence.size() || !is_letter(sentence[behind]));
    if (second >= 1 && second <= 2 && (dotted || slashed)) return true;
    at = std::max(at + 1, at + first);
  }
  return false;
}

bool has_date(std::string_view sentence, const std::string& folded) {
  const size_t colon = sentence.find(':');  // "18:15"
  if (colon != std::string_view::npos && colon > 0 && has_digits(sentence.substr(colon - 1, 1)) &&
      has_digits(sentence.substr(colon + 1, 1))) {
    return true;
  }
  if (has_year(sentence) || says_any(folded, kMonths) || says_any(folded, kWeekdays) || says_any(folded, kRecurring) ||
      has_day_of_month(folded) || has_day_and_month(sentence))
    return true;
  constexpr std::string_view kWide[] = {"年", "月", "日"};
  return has_digits(sentence) && says_any(folded, kWide);
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

// Both things are in one sentence, and best set against each other.
double comparing_cue(std::string_view sentence, const std::string& folded,
                     const std::unordered_set<std::string>& asked) {
  std::unordered_set<std::string> things;
  for (const std::string& stem : asked) {
    if (!is_stop_word(stem) && !stem.starts_with("differ")) things.insert(stem);
  }
  const size_t n_things = things.size();
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word);) things.erase(std::string(stem_of(word.text)));
  const size_t n_named = n_things - things.size();
  if (n_named < 2) return 0.0;
  return says_any(folded, kContrasts) ? 1.0 : kOnlyNamed;
}

}  // namespace

// "How do I see who is logged in?" asks for nobody: how to do it is asked, whatever is done.
bool asks_how_to(std::string_view folded) {
  constexpr std::string_view kHowTo[] = {" how do i ", " how can i ",    " how do you ",   " how can you ",
                                         " how to ",   " wie kann ich ", " wie mache ich "};
  return std::any_of(std::begin(kHowTo), std::end(kHowTo),
                     [&](std::string_view how_to) { return folded.starts_with(how_to); });
}

QuestionKind kind_of_question(std::string_view question) {
  const std::string folded = " " + folded_text(question) + " ";
  const bool how = folded.starts_with(" how ");  // "how do I define it" asks for no definition
  if (asks_how_to(folded)) return QuestionKind::kManner;
  if ((says_any(folded, kAskDate) || asks_when(folded)) && !says_any(folded, kAskCase)) return QuestionKind::kDate;
  if (says_any(folded, kAskDuration)) return QuestionKind::kDuration;
  const bool measured = asks_measure(question) || !asked_measure(question).empty() || asks_price(question);
  if (says_any(folded, kAskNumber) || measured || asks_for_count(question)) return QuestionKind::kNumber;
  if (says_any(folded, kAskPerson)) return QuestionKind::kPerson;
  if (says_any(folded, kAskPlace)) return QuestionKind::kPlace;
  if (says_any(folded, kAskReason)) return QuestionKind::kReason;
  if (says_any(folded, kAskSteps)) return QuestionKind::kManner;
  if (says_any(folded, kAskList) && !how) return QuestionKind::kList;
  if (says_any(folded, kAskDifference)) return QuestionKind::kDifference;
  if (says_any(folded, kAskDefinition) && !how && !says_any(folded, kAskDeed)) {
    if (asks_for_one_thing(question, folded)) return QuestionKind::kDefinition;
    return folded.starts_with(" what are the ") ? QuestionKind::kList : QuestionKind::kAttribute;
  }
  return says_any(folded, kAskManner) ? QuestionKind::kManner : QuestionKind::kOther;
}

bool heads_asked_list(std::string_view question, std::string_view heading) {
  const std::string asked = " " + folded_text(question) + " ";
  const std::string named = " " + folded_text(heading) + " ";
  return std::any_of(std::begin(kAskList), std::end(kAskList), [&](const std::string_view& word) {
    return says_any(asked, {&word, 1}) && says_any(named, {&word, 1});
  });
}

bool begins_english_question(std::string_view folded) {
  constexpr std::string_view kBeginnings[] = {"who", "whose", "whom", "what", "when", "where", "which",
                                              "why", "how",   "is",   "are",  "does", "do",    "did"};
  return one_of(folded, kBeginnings);
}

bool wants_date(std::string_view question) {
  constexpr std::string_view kAsking[] = {"when did",   "when was",   "when were", "what year",
                                          "which year", "wann wurde", "wann war"};
  return says_any(" " + folded_text(question) + " ", kAsking);
}

bool has_cues(QuestionKind kind) {
  return kind != QuestionKind::kList && kind != QuestionKind::kOther;
}

double answer_cue(QuestionKind kind, std::string_view sentence, const std::unordered_set<std::string>& asked,
                  std::string_view unit) {
  const std::string folded = " " + folded_text(sentence) + " ";
  switch (kind) {
    case QuestionKind::kDate: return has_date(sentence, folded) ? 1.0 : 0.0;
    case QuestionKind::kNumber: return counting_cue(sentence, unit);
    case QuestionKind::kDuration:
      if (!has_number(sentence)) return 0.0;
      return says_any(folded, kTimeUnits) ? 1.0 : kHalfDuration;
    case QuestionKind::kPerson:
    case QuestionKind::kPlace: return new_names(sentence, asked);
    case QuestionKind::kReason: return says_any(folded, kCauses) ? 1.0 : 0.5 * defining_cue(sentence, asked);
    case QuestionKind::kManner: return says_any(folded, kCauses) || says_any(folded, kSteps) ? 1.0 : 0.0;
    case QuestionKind::kAttribute:
    case QuestionKind::kDefinition: return defining_cue(sentence, asked);
    case QuestionKind::kDifference: return comparing_cue(sentence, folded, asked);
    case QuestionKind::kList:
    case QuestionKind::kOther: return 0.0;
  }
  return 0.0;
}

double enumerating_cue(std::string_view sentence) {
  constexpr std::string_view kCommas[] = {", ", "、", "\n- "};
  int n = 0;
  for (const std::string_view comma : kCommas) {
    for (size_t at = sentence.find(comma); at != std::string_view::npos; at = sentence.find(comma, at + 1)) ++n;
  }
  return n >= 2 ? 1.0 : n == 1 ? kHalfEnumerated : 0.0;
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

std::string thing_in_words(std::string_view question) {
  std::string thing;
  question = without_owner(question);
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    if (is_stop_word(word.text) || asks_meaning(word.text)) continue;
    thing += thing.empty() ? "" : " ";
    thing += question.substr(word.byte_begin, word.byte_end - word.byte_begin);
  }
  return thing;
}

}  // namespace

std::string short_form_asked(std::string_view question) {
  if (kind_of_question(question) != QuestionKind::kDefinition) return {};
  std::string found;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    if (is_stop_word(word.text) || asks_meaning(word.text)) continue;
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
      "what is the",  "what are the", "what was the",  "what were the", "what s the",    "what is my",  "what is our",
      "what is your", "what are my",  "what are our",  "what are your", "was ist der",   "was ist die", "was ist das",
      "was sind die", "was ist mein", "was ist meine", "was ist unser", "was ist unsere"};
  return says_any(" " + folded_text(question) + " ", kAsking);
}

std::vector<std::string> defining_phrases(std::string_view question) {
  const std::string thing = asked_thing(question);
  if (thing.empty() || thing.find('"') != std::string::npos) return {};
  if (written_without_spaces(question)) return {"\"" + thing + "是\"", "\"" + thing + "とは\""};
  std::vector<std::string> phrases;
  for (const std::string_view said : {" is a", " is an", " is the", " are"}) {
    phrases.push_back("\"" + thing + std::string(said) + "\"");
  }
  if (!short_form_asked(question).empty()) {
    phrases.push_back("\"" + thing + " stands for\"");
    phrases.push_back("\"" + thing + " short for\"");
  }
  // What has a name of several words is told of where they stand together.
  if (thing.find(' ') != std::string::npos) phrases.push_back("\"" + thing + "\"");
  return phrases;
}

namespace {

// Question words that may begin a second question.
constexpr std::string_view kAskWords[] = {
    "who",     "whom",     "whose", "when",   "where", "why",    "how",    "what", "which", "wer", "wem",
    "wann",    "wo",       "warum", "wie",    "wieso", "was",    "welche", "qui",  "quand", "ou",  "comment",
    "combien", "pourquoi", "quel",  "quelle", "quien", "cuando", "donde",  "como", "cuanto"};
constexpr std::string_view kJoiners[] = {"and", "or", "but", "und", "oder", "aber", "et", "y", "pero"};
constexpr std::string_view kWideAsk[] = {"什么", "怎么", "如何", "多少", "多久", "多长", "哪",   "为何",  "几",
                                         "谁",   "なぜ", "いつ", "どこ", "誰",   "何",   "どう", "いくら"};

bool asks(std::string_view piece) {
  for (const std::string_view wide : kWideAsk) {
    if (piece.find(wide) != std::string_view::npos) return true;
  }
  WordScanner scanner(piece);
  Word word;
  while (scanner.next(word)) {
    if (one_of(word.text, kAskWords)) return true;
  }
  return false;
}

// Where a new question begins: behind "and" or a stop, with a question word; behind a wide comma.
std::vector<size_t> part_begins(std::string_view question) {
  std::vector<size_t> begins{0};
  WordScanner scanner(question);
  Word word;
  size_t joiner = std::string_view::npos;
  size_t last_end = 0;
  for (bool first = true; scanner.next(word); first = false) {
    const std::string_view gap = question.substr(last_end, word.byte_begin - last_end);
    const bool stops = gap.find_first_of("?;") != std::string_view::npos;
    if (!first && one_of(word.text, kAskWords) && (joiner != std::string_view::npos || stops)) {
      begins.push_back(joiner != std::string_view::npos ? joiner : word.byte_begin);
    }
    joiner = !first && one_of(word.text, kJoiners) ? word.byte_begin : std::string_view::npos;
    last_end = word.byte_end;
  }
  for (const std::string_view comma : {std::string_view("，"), std::string_view("、"), std::string_view("？")}) {
    for (size_t at = question.find(comma); at != std::string_view::npos; at = question.find(comma, at + 1)) {
      if (at + comma.size() < question.size()) begins.push_back(at + comma.size());
    }
  }
  std::sort(begins.begin(), begins.end());
  return begins;
}

}  // namespace

std::vector<std::string_view> question_parts(std::string_view question) {
  const std::vector<size_t> begins = part_begins(question);
  std::vector<std::string_view> parts;
  for (size_t i = 0; i < begins.size(); ++i) {
    const size_t end = i + 1 < begins.size() ? begins[i + 1] : question.size();
    const std::string_view part = question.substr(begins[i], end - begins[i]);
    // What asks nothing by itself belongs to what stands beside it.
    if (parts.empty() || (asks(part) && asks(parts.back()))) {
      parts.push_back(part);
    } else {
      parts.back() = question.substr(static_cast<size_t>(parts.back().data() - question.data()),
                                     parts.back().size() + part.size());
    }
  }
  return parts;
}

}  // namespace mneme::rag
