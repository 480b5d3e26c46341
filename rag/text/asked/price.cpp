#include "rag/text/asked/price.h"

#include <algorithm>
#include <string>

#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

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
                                          "почем",
                                          "сколько зарабатывает",
                                          "wat kost",
                                          "wat kosten",
                                          "ile kosztuje",
                                          "ne kadar tutuyor",
                                          "كم سعر",
                                          "كم ثمن",
                                          "كم تكلفه",
                                          "كم يكلف",
                                          "كم تكلف",
                                          "كم ايجار",
                                          "كم راتب",
                                          "كم دفعنا",
                                          "كم ندفع",
                                          "كم قسط",
                                          "كم رسوم",
                                          "ما سعر",
                                          "ما تكلفه",
                                          "بكم",
                                          "多少钱",
                                          "何円",
                                          "いくら"};
constexpr std::string_view kAskMuch[] = {"how much", "wie viel", "wieviel",  // ... with one of the next
                                         "combien",  "cuanto",   "quanto",  "сколько", "hoeveel", "ile", "كم"};
// ... or of what somebody earns, which is told by money, too.
constexpr std::string_view kEarning[] = {"verdient", "verdiene", "verdienen",    "gagne",    "gagner",
                                         "gana",     "cobra",    "cobro",        "guadagna", "ganha",
                                         "verdien",  "zarabia",  "зарабатывает", "получает"};
constexpr std::string_view kPrices[] = {
    "cost",    "costs",     "price",    "pay",      "paid",      "charge",   "charged",   "kostet",   "kosten",
    "kostete", "gekostet",  "zahle",    "zahlen",   "zahlt",     "bezahlen", "bezahle",   "bezahlt",  "coute",
    "coutent", "cout",      "eleve",    "elevent",  "payer",     "paye",     "payons",    "cuesta",   "cuestan",
    "costo",   "pago",      "pagar",    "pagamos",  "costa",     "costano",  "costato",   "pagare",   "paghiamo",
    "custa",   "custam",    "custou",   "стоит",    "заплатили", "заплатил", "заплатила", "оплатили", "платим",
    "платят",  "потратили", "обошлась", "обошелся", "kost",      "kosztuje", "ندفع",      "دفعنا",    "يكلف",
    "تكلف",    "سعر",       "ثمن",      "تكلفه",    "платит",    "стоят",    "стоил",     "стоила",   "стоило",
    "стоить",  "заплатить", "платить",  "плачу",    "цена",      "стоимость"};

}  // namespace

namespace {

// "电费多少", "料金はいくら": what has a price is asked for by its name, and how much.
bool asks_price_without_spaces(std::string_view question) {
  constexpr std::string_view kPriced[] = {"费", "租金", "房租", "价格", "价钱", "票价", "工资", "押金", "保费", "金额"};
  constexpr std::string_view kMuch = "多少";
  return question.find(kMuch) != std::string_view::npos &&
         std::any_of(std::begin(kPriced), std::end(kPriced),
                     [&](std::string_view word) { return question.find(word) != std::string_view::npos; });
}

}  // namespace

namespace {

// In words of the question's own language.
bool asks_price_in(Language language, std::string_view folded) {
  static const PhrasesOfLanguages kAsking([](const LanguageFacts& facts) { return facts.price.asking; });
  static const PhrasesOfLanguages kHowMuch([](const LanguageFacts& facts) { return facts.price.how_much; });
  static const PhrasesOfLanguages kWords([](const LanguageFacts& facts) { return facts.price.words; }, " ");
  return kAsking.of(language).any_in(folded) ||
         (kHowMuch.of(language).any_in(folded) && kWords.of(language).any_in(folded));
}

}  // namespace

bool asks_price(std::string_view question) {
  constexpr std::string_view kCosting[] = {"what does", "what do",   "what did",  "what will", "what would",
                                           "was hat",   "was haben", "was hatte", "was wird",  "was werden"};
  constexpr std::string_view kCosts[] = {"cost", "costs", "pay for", "gekostet", "kosten"};
  const std::string folded = " " + folded_text(question) + " ";
  if (written_without_spaces(question) && asks_price_without_spaces(question)) return true;
  return says_any(folded, kAskPrice) ||
         (says_any(folded, kAskMuch) && (says_any(folded, kPrices) || says_any(folded, kEarning))) ||
         (says_any(folded, kCosting) && says_any(folded, kCosts)) || asks_price_in(language_of(question), folded);
}

bool is_earning_word(std::string_view folded) {
  return one_of(folded, kEarning);
}

bool is_price_word(std::string_view folded, Language language) {
  static const PhrasesOfLanguages kOwn([](const LanguageFacts& facts) { return facts.price.words; }, " ");
  return one_of(folded, kPrices) || kOwn.of(language).holds(folded);
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

}  // namespace mneme::rag
