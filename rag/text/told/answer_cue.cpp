#include "rag/text/told/answer_cue.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "base/utf8.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/dates.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/quantities/physical_units.h"
#include "rag/text/told/definitions.h"
#include "rag/text/told/introduced_person.h"
#include "rag/text/told/quantity.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kNamesForSure = 4.0;  // this many new names make a sentence as likely as it gets
constexpr double kOtherDay = 0.4;      // a day, where the last one or a time of it is asked for
constexpr double kHalfDuration = 0.3;  // a number without a unit of time: bridges are long too
constexpr double kHalfOften = 0.5;     // "every time", or a time that need not come again
constexpr double kHalfEnumerated = 0.3;
constexpr double kBesideSomething = 0.7;  // of a place that has no name
constexpr double kOnlyNamed = 0.6;        // two things in one sentence that does not say how they differ

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
  static const FoldedPhrases kOfLanguages{phrases_of_all(&LanguageFacts::causes)};
  return kFolded.any_in(folded) || kOfLanguages.any_in(folded);
}

// A time, or what else may be long: a distance, a text, the years from one to another. "Pin 4" is not.
double lasting_cue(std::string_view sentence, const std::string& folded) {
  if (says_short_time(sentence)) return 1.0;
  if (!has_number(sentence)) return 0.0;
  if (has_time_unit(folded)) return 1.0;
  constexpr std::string_view kLength[] = {"length", "long", "lange", "lang", "laufzeit"};
  const bool measured = physical_cue(sentence, kExtent) >= 1.0 || physical_cue(sentence, kSize) >= 1.0;
  const bool may_be =
      measured || says_any(folded, kLength) || has_date(sentence, folded) || written_without_spaces(sentence);
  return may_be ? kHalfDuration : 0.0;
}

bool counts_times(std::string_view folded) {
  constexpr std::string_view kTimes[] = {"times", "mal", "fois", "veces", "volte", "vezes", "раза", "раз"};
  return says_any(folded, kTimes);
}

constexpr std::string_view kSteps[] = {"by",    "use", "using", "with", "first", "then", "run",  "indem",
                                       "durch", "mit", "用",    "将",   "先",    "再",   "通过", "使用"};

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
    names += asked.contains(stem_of(word.text)) ? 0.0 : 1.0;
  }
  return std::min(1.0, names / kNamesForSure);
}

// "Under the sink", "in der Schublade": a place without a name.
bool says_where(std::string_view folded) {
  constexpr std::string_view kWhere[] = {
      "under the", "behind the", "beside the", "next to",   "above the", "inside the", "in front of", "below the",
      "in the",    "on the",     "at the",     "unter der", "unter dem", "hinter der", "hinter dem",  "neben der",
      "neben dem", "im",         "in der",     "auf dem",   "auf der",   "uber der",   "uber dem"};
  return says_any(folded, kWhere);
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
  for (Word word; scanner.next(word);) things.erase(stem_of(word.text));
  const size_t n_named = n_things - things.size();
  if (n_named < 2) return 0.0;
  return says_any(folded, kContrasts) ? 1.0 : kOnlyNamed;
}

}  // namespace

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
    case QuestionKind::kDuration: return lasting_cue(sentence, folded);
    case QuestionKind::kFrequency:
      if (says_how_often(folded)) {
        // "Rinse it three times" tells how many times, not how often.
        const bool in_time = has_time_unit(folded) || (has_number(sentence) && !counts_times(folded));
        return in_time ? 1.0 : kHalfOften;
      }
      return has_number(sentence) && has_time_unit(folded) ? kHalfOften : 0.0;
    case QuestionKind::kPerson:
      if (unit == kIntroduced) return introducing_cue(sentence, asked);
      return new_names(sentence, asked);
    case QuestionKind::kPlace: return std::max(new_names(sentence, asked), says_where(folded) ? kBesideSomething : 0.0);
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

}  // namespace mneme::rag
