#include "rag/text/quantities.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "rag/text/dates.h"
#include "rag/text/numbers.h"
#include "rag/text/phrases.h"
#include "rag/text/physical_units.h"
#include "rag/text/stop_words.h"
#include "rag/text/told_price.h"
#include "rag/text/word_forms.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr double kOtherUnit = 0.5;  // a number of something else than what is counted
constexpr double kMoneyForUnit = 0.25;
constexpr size_t kNameDigits = 6;     // a longer number in one piece names something: an invoice, a meter
constexpr int kLongestUnit = 4;       // characters
constexpr size_t kCountedWithin = 3;  // words from the number to what it counts

constexpr std::string_view kMeasures[] = {"long",  "tall",  "high",  "deep", "wide",  "far",     "old",   "big",
                                          "large", "fast",  "thick", "hot",  "heavy", "lang",    "lange", "hoch",
                                          "tief",  "breit", "weit",  "alt",  "gross", "schnell", "schwer"};
constexpr std::string_view kMoney = "$";  // the unit where a price is asked for
constexpr std::string_view kAskPrice[] = {"how much is",
                                          "how much are",
                                          "how much was",
                                          "how much were",
                                          "how expensive",
                                          "what is the price of",
                                          "what was the price of",
                                          "what is the cost of",
                                          "what was the cost of",
                                          "was kostet",
                                          "was kosten",
                                          "was kostete",
                                          "wie teuer",
                                          "combien coute",
                                          "combien coutent",
                                          "combien s eleve",
                                          "combien s elevent",
                                          "quel prix",
                                          "quel est le prix",
                                          "quel montant",
                                          "quel est le montant",
                                          "cuanto cuesta",
                                          "cuanto cuestan",
                                          "cuanto costo",
                                          "cuanto vale",
                                          "que precio",
                                          "quanto costa",
                                          "quanto costano",
                                          "quanto e costato",
                                          "quanto custa",
                                          "quanto custam",
                                          "quanto custou",
                                          "какая цена",
                                          "какова стоимость",
                                          "какая стоимость",
                                          "多少钱",
                                          "何円",
                                          "いくら"};
constexpr std::string_view kAskMuch[] = {"how much", "wie viel", "wieviel",  // ... with one of the next
                                         "combien",  "cuanto",   "quanto",  "сколько"};
constexpr std::string_view kPrices[] = {
    "cost",     "costs",   "price",   "pay",     "paid",     "charge",    "charged", "kostet", "kosten",  "kostete",
    "gekostet", "zahle",   "zahlen",  "zahlt",   "bezahlen", "bezahle",   "bezahlt", "coute",  "coutent", "cout",
    "eleve",    "elevent", "payer",   "paye",    "payons",   "cuesta",    "cuestan", "costo",  "pago",    "pagar",
    "pagamos",  "costa",   "costano", "costato", "pagare",   "paghiamo",  "custa",   "custam", "custou",  "стоит",
    "стоят",    "стоил",   "стоила",  "стоило",  "стоить",   "заплатить", "платить", "плачу",  "цена",    "стоимость"};
constexpr std::string_view kCurrencySigns[] = {"$", "€", "£", "¥", "₹", "₽", "₩", "円", "元"};
constexpr std::string_view kCurrencies[] = {
    "dollar", "dollars", "cents",  "euro",   "euros", "pound",  "pounds", "pence", "yen", "yuan", "franken", "francs",
    "rupee",  "rupees",  "usd",    "eur",    "gbp",   "chf",    "jpy",    "cny",   "inr", "cent", "pesos",   "reais",
    "crowns", "kronen",  "kroner", "kronor", "zloty", "рублей", "рубля",  "рубль", "руб", "коп",  "евро"};
// What only says how much is asked: "сколько стоит аренда" counts no "стоит".
constexpr std::string_view kNoUnits[] = {"нужно", "надо", "можно", "было",  "были", "будет", "осталось",
                                         "dois",  "doit", "avons", "coute", "faut", "reste"};

// 如何 asks how, 任何 is "any".
bool is_part_of_word(std::string_view before) {
  constexpr std::string_view kBefore[] = {"如", "为", "為", "任"};
  return std::any_of(std::begin(kBefore), std::end(kBefore), [&](std::string_view c) { return before.ends_with(c); });
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
    return std::string(question.substr(begin, end - begin));
  }
  return {};
}

// At once behind a number: "10km", "三人".
bool stands_behind_number(std::string_view sentence, std::string_view unit) {
  for (size_t at = sentence.find(unit); at != std::string_view::npos; at = sentence.find(unit, at + 1)) {
    const std::string_view before = sentence.substr(0, at);
    const size_t last = before.find_last_not_of(' ');
    if (last != std::string_view::npos && before[last] >= '0' && before[last] <= '9') return true;
    if (ends_with_wide_number(before)) return true;
  }
  return false;
}

// A number, and behind it what is counted: at once, or within a few words ("three old piers").
bool counts(std::string_view sentence, std::string_view unit) {
  if (stands_behind_number(sentence, unit)) return true;
  size_t since = kCountedWithin + 1;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word); ++since) {
    if (is_number(word.text)) {
      since = 0;
    } else if (is_stop_word(word.text)) {
      since = kCountedWithin;  // "in 1873 with its piers" counts no piers
    }
    const std::string_view stem = stem_of(word.text);
    if (since > 0 && since <= kCountedWithin && (stem == unit || is_form(unit, stem))) return true;
  }
  return false;
}

bool holds_money(std::string_view sentence) {
  return has_digits(sentence) && says_money(sentence);
}

// Of "XXH3-128" and "E-4471902" the digits are part of a name: letters begin what they stand in.
bool is_part_of_name(std::string_view sentence, size_t digit) {
  const auto joins = [](char c) { return is_digit(c) || is_letter(c) || c == '-'; };
  size_t begin = digit;
  while (begin > 0 && joins(sentence[begin - 1])) --begin;
  while (sentence[begin] == '-') ++begin;
  return is_letter(sentence[begin]);
}

// "Invoice no. E-4471902": all its numbers are names.
bool holds_only_names(std::string_view sentence) {
  bool names = false;
  for (size_t at = 0; at < sentence.size();) {
    const size_t begin = at;
    while (at < sentence.size() && is_digit(sentence[at])) ++at;
    if (at == begin) {
      ++at;
      continue;
    }
    if (at - begin <= kNameDigits && !is_part_of_name(sentence, begin)) return false;
    names = true;
  }
  return names;
}

}  // namespace

bool asks_price(std::string_view question) {
  constexpr std::string_view kCosting[] = {"what does", "what do",   "what did",  "what will", "what would",
                                           "was hat",   "was haben", "was hatte", "was wird",  "was werden"};
  constexpr std::string_view kCosts[] = {"cost", "costs", "pay for", "gekostet", "kosten"};
  const std::string folded = " " + folded_text(question) + " ";
  return says_any(folded, kAskPrice) || (says_any(folded, kAskMuch) && says_any(folded, kPrices)) ||
         (says_any(folded, kCosting) && says_any(folded, kCosts));
}

bool is_price_word(std::string_view folded) {
  return one_of(folded, kPrices);
}

bool asks_to_reckon(std::string_view question) {
  constexpr std::string_view kAsking[] = {"sum of",         "sum up",        "add up",
                                          "in total",       "altogether",    "average",
                                          "did we spend",   "did i spend",   "have we spent",
                                          "how many times", "how many rows", "insgesamt",
                                          "summe",          "durchschnitt",  "durchschnittlich",
                                          "im schnitt",     "ausgegeben",    "wie viele zeilen",
                                          "en tout",        "somme",         "moyenne",
                                          "depense",        "en total",      "suma",
                                          "promedio",       "media de",      "gastado",
                                          "gastamos",       "in totale",     "somma",
                                          "speso",          "no total",      "soma",
                                          "gasto",          "сумма",         "в сумме",
                                          "в среднем",      "потратили",     "потрачено",
                                          "总共",           "一共",          "平均",
                                          "合計",           "全部で"};
  static const FoldedPhrases kFolded{kAsking};
  return kFolded.any_in(" " + folded_text(question) + " ");
}

bool is_sum_word(std::string_view folded) {
  constexpr std::string_view kWords[] = {"total", "altogether", "insgesamt", "totale", "sum", "summe"};
  return one_of(folded, kWords);
}

bool says_money(std::string_view unit) {
  const bool sign = std::any_of(std::begin(kCurrencySigns), std::end(kCurrencySigns), [&](std::string_view currency) {
    return unit.find(currency) != std::string_view::npos;
  });
  static const FoldedPhrases kFolded{kCurrencies};
  return sign || kFolded.any_in(" " + folded_text(unit) + " ");
}

std::string asked_measure(std::string_view question) {
  WordScanner scanner(question);
  bool how = false;
  for (Word word; scanner.next(word);) {
    if (how && one_of(word.text, kMeasures)) return std::string(word.text);
    how = word.text == "how" || word.text == "wie";
  }
  return {};
}

namespace {

bool asks_age(std::string_view question) {
  const std::string measure = asked_measure(question);
  return measure == "old" || measure == "alt";
}

// "born 11 May 1984", "aged 42", "3 Jahre alt": a number beside a word of ages, or so many years; "in six weeks" is no
// age.
bool tells_age(std::string_view sentence) {
  constexpr std::string_view kOfAges[] = {"born",  "birth",      "birthday",    "age",     "aged",   "old",
                                          "built", "founded",    "since",       "geboren", "geb",    "alt",
                                          "alter", "jahriger",   "jahrige",     "jahrig",  "gebaut", "gegrundet",
                                          "seit",  "geburtstag", "geburtsdatum"};
  constexpr std::string_view kTimes[] = {"year", "years", "month",  "months", "week",    "weeks",  "day",  "days",
                                         "jahr", "jahre", "jahren", "monate", "monaten", "wochen", "tage", "tagen"};
  constexpr std::string_view kOther[] = {"in",   "within", "every",  "after",    "per",
                                         "alle", "nach",   "binnen", "innerhalb"};
  constexpr size_t kWithin = 3;  // words: "in about six weeks"
  size_t since_other = kWithin + 1;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word); ++since_other) {
    if (one_of(word.text, kOther)) since_other = 0;
    if (one_of(word.text, kOfAges) || (one_of(word.text, kTimes) && since_other > kWithin)) return true;
  }
  return false;
}

}  // namespace

std::string asked_unit(std::string_view question) {
  if (asks_price(question)) return std::string(kMoney);
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
    if (asks && !is_stop_word(word.text)) {
      return one_of(word.text, kNoUnits) ? std::string() : std::string(stem_of(word.text));
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

double counting_cue(std::string_view sentence, std::string_view unit) {
  const bool in_words = unit == kMoney && says_price_in_words(sentence);  // "free for children" is a price
  if (!has_number(sentence)) return in_words ? kOtherUnit : 0.0;
  if (unit == kAge) return tells_age(sentence) ? 1.0 : 0.0;
  if (is_physical(unit)) return physical_cue(sentence, unit);
  if (unit == kMoney) return holds_money(sentence) ? 1.0 : holds_only_names(sentence) ? 0.0 : kOtherUnit;
  if (unit.empty()) return holds_only_names(sentence) ? kOtherUnit : 1.0;
  if (counts(sentence, unit)) return 1.0;
  if (holds_only_names(sentence)) return 0.0;
  return holds_money(sentence) ? kMoneyForUnit : kOtherUnit;  // how much water it was, not what it cost
}

bool asks_how_many(std::string_view question) {
  constexpr std::string_view kHowMany[] = {"how many", "wie viele", "wieviele"};
  return says_any(" " + folded_text(question) + " ", kHowMany);
}

bool counts_only_others(std::string_view sentence) {
  constexpr std::string_view kComparing[] = {"more", "less", "fewer"};  // "twelve more than last year"
  bool counted = false;
  bool behind_month = false;                   // "May 3" counts nothing, nor does "13. Oktober"
  size_t number_end = std::string_view::npos;  // of a number before which nothing counted stands so far
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word);) {
    if (word.pair) return false;
    const bool behind = number_end != std::string_view::npos;
    const bool decimals = behind && is_number(word.text) && word.byte_begin == number_end + 1 &&
                          (sentence[number_end] == '.' || sentence[number_end] == ',');
    if (decimals) {
      number_end = word.byte_end;
      continue;
    }
    const bool month = is_time_word(word.text);
    const bool bare = word.byte_begin != number_end + 1 || is_number(word.text) ||
                      (is_stop_word(word.text) && !one_of(word.text, kComparing));
    if (behind && bare && !month) return false;
    counted |= behind || (behind_month && is_number(word.text));
    number_end = is_number(word.text) && !behind_month ? word.byte_end : std::string_view::npos;
    behind_month = month;
  }
  return counted && number_end == std::string_view::npos;
}

}  // namespace mneme::rag
