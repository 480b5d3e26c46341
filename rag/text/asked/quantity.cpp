#include "rag/text/asked/quantity.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "rag/text/asked/person.h"
#include "rag/text/asked/price.h"
#include "rag/text/asked/subject.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/dates.h"
#include "rag/text/quantities/physical_units.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr int kLongestUnit = 4;  // characters

constexpr std::string_view kMeasures[] = {"long",  "tall",  "high",  "deep",  "wide", "far",   "old",     "big",
                                          "large", "tight", "fast",  "thick", "hot",  "heavy", "lang",    "lange",
                                          "hoch",  "tief",  "breit", "weit",  "alt",  "gross", "schnell", "schwer"};
// What only says how much is asked: "сколько стоит аренда" counts no "стоит".
constexpr std::string_view kNoUnits[] = {"нужно", "надо", "можно", "было",  "были", "будет", "осталось",
                                         "dois",  "doit", "avons", "coute", "faut", "reste"};

// 如何 asks how, 任何 is "any".
bool is_part_of_word(std::string_view before) {
  constexpr std::string_view kBefore[] = {"如", "为", "為", "任"};
  return std::any_of(std::begin(kBefore), std::end(kBefore), [&](std::string_view c) { return before.ends_with(c); });
}

// Of 分煮る the 分: what counts times and pieces ends where the verb begins.
std::string_view counter_of(std::string_view unit) {
  constexpr std::string_view kCounters[] = {"时间", "時間", "分钟", "分間", "小时", "週間", "日間",
                                            "年間", "か月", "ヶ月", "分",   "秒",   "日",   "天",
                                            "年",   "回",   "次",   "円",   "元",   "歳"};
  for (const std::string_view counter : kCounters) {
    if (unit.starts_with(counter)) return counter;
  }
  return {};
}

// Of 何人 and 几个人 the 人 behind the asking, up to the next particle.
std::string unit_without_spaces(std::string_view question) {
  constexpr std::string_view kAsking[] = {"多少", "几", "幾", "何"};
  for (const std::string_view asking : kAsking) {
    const size_t found = question.find(asking);
    if (found == std::string_view::npos || is_part_of_word(question.substr(0, found))) continue;
    size_t end = found + asking.size();
    const size_t begin = end;
    for (int n = 0; n < kLongestUnit && end < question.size(); ++n) {
      size_t after = end;
      const char32_t c = utf8::next(question, after);
      const bool latin = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%';
      const bool wide = c >= 0x30A0 && c <= 0x9FFF;  // katakana and ideographs; particles are hiragana
      if (!latin && !wide) break;
      end = after;
    }
    const std::string_view unit = question.substr(begin, end - begin);
    const std::string_view counter = counter_of(unit);
    return std::string(counter.empty() ? unit : counter);
  }
  return {};
}

// "Targets" of "how many fuzzing targets", behind a word that is no plural.
bool may_be_counted(std::string_view folded) {
  constexpr size_t kLeastPlural = 4;  // letters
  return folded.size() >= kLeastPlural && folded.ends_with('s') && !folded.ends_with("ss") && !is_stop_word(folded);
}

bool asks_age(std::string_view question) {
  const std::string measure = asked_measure(question);
  return measure == "old" || measure == "alt";
}

}  // namespace

std::string asked_measure(std::string_view question) {
  static const PhrasesOfLanguages kHow(&LanguageFacts::how, " ");
  static const PhrasesOfLanguages kOfLanguages(&LanguageFacts::measures, " ");
  const Language language = language_of(question);
  WordScanner scanner(question);
  bool how = false;
  bool own = false;
  for (Word word; scanner.next(word);) {
    if ((how && one_of(word.text, kMeasures)) || (own && kOfLanguages.of(language).holds(word.text)))
      return std::string(word.text);
    how = word.text == "how" || word.text == "wie";
    own = kHow.of(language).holds(word.text);
  }
  return {};
}

std::string asked_unit(std::string_view question) {
  if (!asked_person(question).empty()) return std::string(kIntroduced);
  if (asks_price(question) || (!asked_measure(question).empty() && asks_named_sum(question)))
    return std::string(kMoney);  // "hoe hoog is de huur"
  if (asks_deadline(question)) return std::string(kDeadline);
  if (asks_hour(question)) return std::string(kHour);
  if (asks_age(question)) return std::string(kAge);
  if (const std::string_view physical = asked_physical(question); !physical.empty()) return std::string(physical);
  if (written_without_spaces(question)) return unit_without_spaces(question);
  constexpr std::string_view kCounting[] = {"combien", "cuantos", "cuantas", "quanti",   "quante",
                                            "quantos", "quantas", "сколько", "wieviele", "wieviel"};
  constexpr std::string_view kOf[] = {"de", "d", "di"};  // "combien de jours"
  WordScanner scanner(question);
  std::string before_last;
  std::string last;
  for (Word word; scanner.next(word);) {
    if (last == "combien" && one_of(word.text, kOf)) continue;
    const bool many = last == "many" || last == "viele" || last == "viel";
    const bool asks = (many && (before_last == "how" || before_last == "wie")) || one_of(last, kCounting);
    if (asks && !is_stop_word(word.text, language_of(question))) {
      if (one_of(word.text, kNoUnits)) return {};
      std::string unit(stem_of(word.text));
      const bool english = last == "many" && !word.text.ends_with('s');
      return english && scanner.next(word) && may_be_counted(word.text) ? stem_of(word.text) : unit;
    }
    before_last = std::exchange(last, std::string(word.text));
  }
  return {};
}

bool asks_for_count(std::string_view question) {
  constexpr std::string_view kCounters[] = {"人", "個", "本", "枚", "回", "度", "歳", "円", "階",
                                            "位", "番", "頭", "匹", "台", "名", "倍", "点", "票",
                                            "隻", "機", "種", "件", "校", "州", "%"};
  const size_t asking = question.find("何");
  if (asking == std::string_view::npos || is_part_of_word(question.substr(0, asking))) return false;
  const std::string unit = unit_without_spaces(question);
  if (unit.empty()) return false;
  size_t at = 0;
  const char32_t first = utf8::next(unit, at);
  const bool katakana_or_latin = first < 0x3100;
  return katakana_or_latin || std::any_of(std::begin(kCounters), std::end(kCounters),
                                          [&](std::string_view counter) { return unit.starts_with(counter); });
}

bool asks_how_many(std::string_view question) {
  constexpr std::string_view kHowMany[] = {"how many", "wie viele", "wieviele"};
  return says_any(" " + folded_text(question) + " ", kHowMany);
}

}  // namespace mneme::rag
