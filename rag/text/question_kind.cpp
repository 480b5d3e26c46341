#include "rag/text/question_kind.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/utf8.h"
#include "rag/text/dates.h"
#include "rag/text/definitions.h"
#include "rag/text/german.h"
#include "rag/text/phrases.h"
#include "rag/text/quantities.h"
#include "rag/text/question_words.h"
#include "rag/text/stop_words.h"
#include "rag/text/symbols.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr double kNamesForSure = 4.0;  // this many new names make a sentence as likely as it gets
constexpr double kOtherDay = 0.4;      // a day, where the last one or a time of it is asked for
constexpr double kHalfDuration = 0.3;  // a number without a unit of time: bridges are long too
constexpr double kHalfOften = 0.5;     // "every time", or a time that need not come again
constexpr double kHalfEnumerated = 0.3;
constexpr double kOnlyNamed = 0.6;  // two things in one sentence that does not say how they differ
constexpr size_t kLongestShortForm = 8;
constexpr size_t kDefinedWords =
    2;  // "what is a wheel file" asks for a definition, "what is the largest lake" does not

// "When" asks for a time where it is the first to ask, or joined to what does: "what happens when it rains?" does not.
constexpr std::string_view kAskBeforeWhen[] = {"what", "why", "how", "who", "which", "where"};
// "What line length": what a number answers.
constexpr std::string_view kMeasures[] = {"length", "height",      "width",      "weight",     "depth",   "size",
                                          "speed",  "temperature", "percentage", "temperatur", "gewicht", "grosse"};
constexpr size_t kMeasureWithin = 3;  // words behind "what"
constexpr std::string_view kContrasts[] = {"while",      "whereas",  "but",     "unlike",  "instead", "rather",
                                           "than",       "differ",   "differs", "either",  "both",    "different",
                                           "difference", "contrast", "however", "sondern", "dagegen", "tandis",
                                           "mientras",   "而",       "区别",    "不同",    "違い",    "一方"};
constexpr std::string_view kCauses[] = {
    "because", "since", "due to", "so that", "in order to", "reason", "reasons", "caused", "causes", "result",
    "results", "purpose", "allow", "allows", "allowing", "used to", "used for", "intended", "designed", "enable",
    "enables", "therefore", "thus", "avoid", "prevent", "help", "so", "attempts", "aims", "goal", "meant to", "remedy",
    "remedies", "otherwise", "or else", "makes",
    // German
    "weil", "sonst", "damit", "um", "denn", "deshalb", "daher", "wegen", "aufgrund", "grund", "andernfalls",
    // French
    "parce", "afin", "car", "puisque", "faute de", "grace a", "a cause", "en raison", "sinon", "pour que",
    // Spanish, Portuguese, Italian
    "porque", "ya que", "debido", "puesto que", "para que", "por falta", "pois", "devido", "ja que", "perche", "poiche",
    "siccome", "dato che", "a causa", "affinche", "altrimenti",
    // Russian
    "потому", "поскольку", "так как", "из за", "чтобы", "ввиду", "иначе", "поэтому",
    // Chinese and Japanese
    "因为", "由于", "以便", "为了", "用于", "用来", "否则", "ため", "ので", "から"};

bool says_cause(std::string_view folded) {
  static const FoldedPhrases kFolded{kCauses};
  return kFolded.any_in(folded);
}

bool counts_times(std::string_view folded) {
  constexpr std::string_view kTimes[] = {"times", "mal", "fois", "veces", "volte", "vezes", "раза", "раз"};
  return says_any(folded, kTimes);
}

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

bool begins_with_capital(std::string_view text, size_t at) {
  return u_isupper(static_cast<UChar32>(utf8::next(text, at))) != 0;
}

// Words with a capital that are neither the sentence's first nor the question's own.
double new_names(std::string_view sentence, const std::unordered_set<std::string>& asked) {
  double names = 0.0;
  WordScanner scanner(sentence);
  Word word;
  for (bool first = true; scanner.next(word); first = false) {
    if (first || !begins_with_capital(sentence, word.byte_begin) || is_stop_word(word.text)) continue;
    if (is_time_word(word.text)) continue;
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

// "Welche Kündigungsfrist gilt?"
bool asks_duration_in_one_word(std::string_view question) {
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    if (!thing_of_duration(word.text).empty()) return true;
  }
  return false;
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

QuestionKind kind_of_question(std::string_view question) {
  const std::string folded = " " + folded_text(question) + " ";
  const bool how = folded.starts_with(" how ");  // "how do I define it" asks for no definition
  if (asks_how_to(folded)) return QuestionKind::kManner;
  const auto asks = [&](Asking asking) { return asks_for(asking, question, folded); };
  // "When do I have to pay?" and "When do we fly?" ask for a day, "When do I need a lock?" for a case.
  constexpr std::string_view kOwed[] = {
      "have to pay",    "have to be",   "have to leave", "have to return", "have to hand", "do i fly",
      "do we fly",      "do i arrive",  "do we arrive",  "do i collect",   "do i leave",   "do we collect",
      "do we leave",    "do i pick up", "do we pick up", "do i meet",      "do we meet",   "do i check in",
      "do we check in", "do i move in", "do we move in"};
  const bool in_case = asks(Asking::kCase) && !says_any(folded, kOwed);
  const bool when = asks_deadline(question) || ((asks(Asking::kDate) || asks_when(folded)) && !in_case);
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

bool heads_asked_list(std::string_view question, std::string_view heading) {
  const std::string asked = " " + folded_text(question) + " ";
  const std::string named = " " + folded_text(heading) + " ";
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
      "when did",  "when was",        "when were",      "what year",      "which year",  "what date",  "wann wurde",
      "wann war",  "um wie viel uhr", "um wieviel uhr", "a quelle heure", "quelle date", "a que hora", "que fecha",
      "a che ora", "a que horas",     "во сколько",     "какого числа",   "几点",        "何時に",
  };
  static const FoldedPhrases kFolded{kAsking};
  return kFolded.any_in(" " + folded_text(question) + " ");
}

bool has_cues(QuestionKind kind) {
  return kind != QuestionKind::kList && kind != QuestionKind::kOther;
}

double answer_cue(QuestionKind kind, std::string_view sentence, const std::unordered_set<std::string>& asked,
                  std::string_view unit) {
  const std::string folded = " " + folded_text(sentence) + " ";
  switch (kind) {
    case QuestionKind::kDate:
      if (unit == kHour && has_time_of_day(sentence)) return 1.0;
      if (unit == kDeadline && sets_deadline(sentence, folded)) return 1.0;
      if (!has_date(sentence, folded)) return 0.0;
      return unit == kDeadline || unit == kHour ? kOtherDay : 1.0;
    case QuestionKind::kNumber: return counting_cue(sentence, unit);
    case QuestionKind::kDuration:
      if (!has_number(sentence)) return 0.0;
      return has_time_unit(folded) ? 1.0 : kHalfDuration;
    case QuestionKind::kFrequency:
      if (says_how_often(folded)) {
        // "Rinse it three times" tells how many times, not how often.
        const bool in_time = has_time_unit(folded) || (has_number(sentence) && !counts_times(folded));
        return in_time ? 1.0 : kHalfOften;
      }
      return has_number(sentence) && has_time_unit(folded) ? kHalfOften : 0.0;
    case QuestionKind::kPerson:
    case QuestionKind::kPlace: return new_names(sentence, asked);
    case QuestionKind::kReason: return says_cause(folded) ? 1.0 : 0.5 * defining_cue(sentence, asked);
    case QuestionKind::kManner: return says_cause(folded) || says_any(folded, kSteps) ? 1.0 : 0.0;
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
      "what is the",  "what are the", "what was the", "what were the", "what s the",    "what is my",    "what is our",
      "what is your", "what are my",  "what are our", "what are your", "was ist der",   "was ist die",   "was ist das",
      "was sind die", "was ist mit",  "was ist mein", "was ist meine", "was ist unser", "was ist unsere"};
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
    "who",      "whom",    "whose",   "when",    "where",  "why",    "how",    "what",    "which",
    "wer",      "wem",     "wann",    "wo",      "warum",  "wie",    "wieso",  "was",     "welche",
    "welcher",  "welches", "wohin",   "wieviel", "qui",    "quand",  "ou",     "comment", "combien",
    "pourquoi", "quel",    "quelle",  "quien",   "cuando", "donde",  "como",   "cuanto",  "cuanta",
    "cuantos",  "cuantas", "chi",     "quando",  "quanto", "quanta", "quanti", "quante",  "perche",
    "quem",     "quantos", "quantas", "onde",    "кто",    "что",    "когда",  "где",     "почему",
    "сколько",  "зачем",   "куда",    "какой",   "какая",  "какое",  "какие"};
constexpr std::string_view kJoiners[] = {"and", "or", "but", "und", "oder", "aber", "et", "y", "pero", "e", "и", "а"};
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

std::string_view without_joiners(std::string_view part) {
  size_t end = part.size();
  while (end > 0 && std::string_view(" \t\r\n,;").find(part[end - 1]) != std::string_view::npos) --end;
  part = part.substr(0, end);
  WordScanner scanner(part);
  Word word;
  while (scanner.next(word)) {
    if (!one_of(word.text, kJoiners)) return part.substr(word.byte_begin);
  }
  return part;
}

}  // namespace mneme::rag
