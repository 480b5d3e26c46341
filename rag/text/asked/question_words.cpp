#include "rag/text/asked/question_words.h"

#include <algorithm>
#include <vector>

#include "rag/text/words/phrases.h"

namespace mneme::rag {

namespace {

// As people write them, but for diacritics. One that begins with '^' asks only where it begins the question.
constexpr std::string_view kDate[] = {
    "what time", "what year", "which year", "what date", "what day", "what month", "which date", "which day",
    "which month", "which weekday", "what weekday",
    // German
    "wann", "wie viel uhr", "wieviel uhr", "welches datum", "welchem datum", "welchem tag", "welcher tag",
    "welches jahr", "welchem jahr", "welchem monat", "welche uhrzeit", "welcher uhrzeit",
    // French
    "quand", "quelle date", "quelle heure", "quel jour", "quelle annee", "quel mois",
    // Spanish
    "cuando", "que fecha", "que dia", "que hora", "que ano", "que mes",
    // Italian and Portuguese
    "quando", "che ora", "che giorno", "quale giorno", "che data", "quale data", "che anno", "quale anno", "quale mese",
    "que horas", "que data",
    // Russian
    "когда", "во сколько", "котором часу", "какого числа", "какому числу", "какое число", "какой день", "каком году",
    "какая дата", "какую дату", "каком месяце",
    // Dutch, Polish, Turkish
    "wanneer", "hoe laat", "welke dag", "welke datum", "kiedy", "ktorego dnia", "o ktorej", "ne zaman", "hangi gun",
    "saat kacta",
    // Arabic
    "متي", "متى", "اي يوم", "اي ايام", "اي ساعه", "اي تاريخ", "ما موعد", "ما اخر موعد",
    // Chinese and Japanese
    "什么时候", "哪一年", "哪年", "何时", "几点", "几号", "哪天", "哪一天", "几月", "星期几", "何年", "いつ", "何月",
    "何日", "何時", "何曜日"};
constexpr std::string_view kCase[] = {"when should i", "when should you", "when should we", "when do i",
                                      "when do you",   "when do we",      "when to",        "when can i"};
constexpr std::string_view kNumber[] = {
    "how many", "how much", "how long", "how old", "how far", "how tall", "how big", "how high", "how fast", "maximum",
    "minimum", "limit",
    // German
    "wie viel", "wie viele", "wieviel", "wieviele", "wie lange", "welchen betrag", "welcher betrag",
    // French
    "combien", "quel montant", "quel prix", "quel taux", "quel est le montant", "quel est le prix", "quel est le taux",
    // Spanish
    "cuanto", "cuanta", "cuantos", "cuantas", "que precio", "que cantidad",
    // Italian and Portuguese
    "quanto", "quanta", "quanti", "quante", "quantos", "quantas", "che prezzo", "che importo",
    // Russian
    "сколько", "скольких", "какая сумма", "какую сумму", "какая цена", "какова стоимость", "какая стоимость",
    "какой размер", "каков размер",
    // Dutch, Polish, Turkish
    "hoeveel", "hoe groot", "hoe hoog", "ile", "kac", "ne kadar",
    // Arabic
    "كم", "بكم", "ما مقدار", "ما مبلغ", "ما سعر", "ما ثمن",
    // Chinese and Japanese
    "多少", "几", "多长", "多久", "多高", "多大", "多重", "多远", "いくつ", "いくら", "何人", "どのくらい",
    "どれくらい", "どれだけ", "何個", "何歳"};
constexpr std::string_view kDuration[] = {
    "how long",
    // German
    "wie lange", "wie lang",
    // French
    "combien de temps", "quelle duree", "quelle est la duree",
    // Spanish, Italian, Portuguese
    "cuanto tiempo", "cuanto dura", "cuanto duran", "quanto tempo", "quanto dura", "quanto durano", "quanto duram",
    // Russian
    "как долго", "сколько времени", "какой срок", "каков срок", "какой период", "сколько дней", "сколько длится",
    // Dutch, Polish, Turkish
    "hoe lang", "jak dlugo", "ile trwa", "ne kadar surer", "kac gun",
    // Arabic
    "كم مده", "كم تستغرق", "كم يستغرق", "كم يوم", "كم يوما", "كم ساعه", "كم دقيقه", "كم شهر", "كم سنه", "ما مده",
    "كم من الوقت",
    // Chinese and Japanese
    "多久", "多长时间", "几天", "几个月", "几小时", "几个小时", "几分钟", "何分", "何時間", "何秒", "何日間", "何か月",
    "何ヶ月", "何週間", "何年間", "どのくらいの時間", "どのくらいの期間"};
constexpr std::string_view kFrequency[] = {"how often", "how frequently", "how many times a",
                                           // German
                                           "wie oft", "wie haufig", "welchen abstanden",
                                           // French
                                           "quelle frequence", "combien de fois par", "tous les combien",
                                           // Spanish
                                           "cada cuanto", "cada cuantos", "cada cuantas", "que frecuencia",
                                           "cuantas veces al", "cuantas veces por",
                                           // Italian and Portuguese
                                           "ogni quanto", "ogni quanti", "ogni quante", "che frequenza",
                                           "quante volte al", "quante volte a", "que frequencia", "quantas vezes por",
                                           // Russian
                                           "как часто", "сколько раз в",
                                           // Dutch, Polish, Turkish, Arabic
                                           "hoe vaak", "jak czesto", "ne siklikla", "كم مره", "كل كم",
                                           // Chinese and Japanese
                                           "多久一次", "多长时间一次", "多久清", "多久换", "どのくらいの頻度",
                                           "どれくらいの頻度", "何日おき", "何日ごと", "何か月ごと", "何ヶ月ごと"};
constexpr std::string_view kPerson[] = {"who", "whom", "whose",
                                        // German
                                        "wer", "wem", "wen", "wessen",
                                        // French; "qu'est-ce qui" asks for a thing
                                        "qui",
                                        // Spanish, Italian, Portuguese
                                        "quien", "quienes", "^chi", "di chi", "a chi", "da chi", "con chi", "per chi",
                                        "quem",
                                        // Russian
                                        "кто", "кого", "кому", "кем", "чей", "чья", "чье", "чьи",
                                        // Dutch, Polish, Turkish, Arabic; "من" is also "from"
                                        "wie is", "wie heeft", "kto", "kogo", "komu", "kim", "^من", "من هو", "من هي",
                                        // Chinese and Japanese
                                        "谁", "哪位", "誰", "だれ", "どなた"};
constexpr std::string_view kPlace[] = {"where", "what city", "which city", "what country", "which country",
                                       // German
                                       "wo", "wohin", "woher",
                                       // French; "ou" is also "or"
                                       "^ou", "d ou",
                                       // Spanish, Italian, Portuguese; "dove" is an English bird
                                       "donde", "adonde", "^dove", "dov e", "da dove", "onde", "aonde",
                                       // Russian
                                       "где", "куда", "откуда",
                                       // Dutch, Polish, Turkish
                                       "waar", "waarheen", "gdzie", "dokad", "nerede", "nereye",
                                       // Arabic
                                       "اين", "^وين",
                                       // Chinese and Japanese
                                       "哪里", "哪儿", "何处", "在哪", "去哪", "哪个国家", "どこ"};
constexpr std::string_view kReason[] = {"why", "purpose", "reason", "what for", "how come",
                                        // German
                                        "warum", "wieso", "wozu", "weshalb", "weswegen",
                                        // French, Spanish, Italian, Portuguese
                                        "pourquoi", "por que", "^porque", "^perche",
                                        // Russian
                                        "почему", "зачем", "отчего",
                                        // Dutch, Polish, Turkish
                                        "waarom", "dlaczego", "neden", "nicin",
                                        // Arabic
                                        "لماذا", "^لم", "ما سبب", "^ليش",
                                        // Chinese and Japanese
                                        "为什么", "为何", "什么原因", "なぜ", "どうして", "理由"};
constexpr std::string_view kManner[] = {"how", "wie",  "comment", "como", "^come", "как",
                                        "كيف", "怎么", "如何",    "怎样", "どう"};
constexpr std::string_view kSteps[] = {"steps of",
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
                                       "que faire",
                                       "que hacer",
                                       "que hago",
                                       "cosa fare",
                                       "cosa faccio",
                                       "o que fazer",
                                       "что делать",
                                       "步骤",
                                       "做法",
                                       "怎么办",
                                       "作り方",
                                       "手順"};
constexpr std::string_view kList[] = {
    "ingredient", "ingredients", "list the", "what do i need", "what comes", "what is in", "what does it contain",
    "come with", "comes with", "what goes in", "what goes into", "which kinds", "what kinds", "which types",
    "what types", "which tools", "what tools",
    // German
    "zutaten", "welche zutaten", "was brauche ich", "was brauchen", "was soll ich mitbringen", "was soll ich mitnehmen",
    "was muss ich mitbringen", "was muss ich mitnehmen", "was kommt in", "was gehort in", "werkzeug", "werkzeuge",
    // French
    "que faut il", "quels ingredients", "que dois je apporter", "que doit on apporter", "que doivent",
    // Spanish
    "ingredientes", "que hay que llevar", "que tengo que llevar", "que tienen que llevar", "que deben llevar",
    "que se necesita", "que necesito",
    // Italian and Portuguese
    "ingredienti", "cosa serve", "cosa bisogna portare", "cosa devo portare", "cosa devono portare", "o que levar",
    "o que e preciso",
    // Russian
    "ингредиенты", "что взять", "что нужно взять", "что понадобится", "что надо взять", "что принести",
    // Chinese and Japanese
    "原料", "材料", "食材", "用料", "需要哪些", "有哪些", "包括哪些", "带什么", "带些什么", "准备什么", "何が必要",
    "持ち物", "必要なもの",
    // Arabic
    "ماذا يجب ان نحضر", "ماذا نحضر", "ماذا احضر", "ما المقادير", "مقادير", "المقادير", "المكونات"};
constexpr std::string_view kDefinition[] = {
    "what is",         "what are",      "what was",   "what does",      "what do",  "what s",       "define",
    "meaning of",      "stand for",     "stands for", "was ist",        "was sind", "was bedeutet", "que signifie",
    "qu est ce",       "que significa", "que es",     "cosa significa", "cos e",    "cosa e",       "o que e",
    "o que significa", "что такое",     "что значит", "что означает",   "什么是",   "是什么",       "とは",
    "ما هو",           "ما هي"};
constexpr std::string_view kDeed[] = {"what do i",    "what do you",   "what do we",  "what do they",
                                      "what does he", "what does she", "what did i",  "what did you",
                                      "what did we",  "what did they", "what did he", "what did she"};
constexpr std::string_view kDifference[] = {"difference between",
                                            "differences between",
                                            "differ from",
                                            "differs from",
                                            "differ",
                                            "versus",
                                            "vs",
                                            "unterschied zwischen",
                                            "difference entre",
                                            "diferencia entre",
                                            "differenza tra",
                                            "differenza fra",
                                            "diferenca entre",
                                            "разница между",
                                            "отличие",
                                            "отличается",
                                            "区别",
                                            "不同",
                                            "違い"};

bool is_asked_where_french(std::string_view question) {
  return question.find(" où ") != std::string_view::npos || question.starts_with("où ") || question.starts_with("Où ");
}

// "¿A qué es alérgico?", "de que es la tapa": asks for no definition of it.
bool asks_to_what_spanish(std::string_view folded) {
  constexpr std::string_view kToWhat[] = {" a que es ", " de que es ", " con que es ", " en que es ", " por que es "};
  return std::any_of(std::begin(kToWhat), std::end(kToWhat),
                     [&](std::string_view what) { return folded.find(what) != std::string_view::npos; });
}

bool asks_what_french(std::string_view folded) {
  return folded.find(" qu est ce qui ") != std::string_view::npos;
}

std::span<const std::string_view> words_for(Asking asking) {
  switch (asking) {
    case Asking::kDate: return kDate;
    case Asking::kCase: return kCase;
    case Asking::kNumber: return kNumber;
    case Asking::kDuration: return kDuration;
    case Asking::kFrequency: return kFrequency;
    case Asking::kPerson: return kPerson;
    case Asking::kPlace: return kPlace;
    case Asking::kReason: return kReason;
    case Asking::kManner: return kManner;
    case Asking::kSteps: return kSteps;
    case Asking::kList: return kList;
    case Asking::kDefinition: return kDefinition;
    case Asking::kDeed: return kDeed;
    case Asking::kDifference: return kDifference;
  }
  return {};
}

struct AskingWords {
  FoldedPhrases anywhere;
  FoldedPhrases beginning;
};

AskingWords parted(std::span<const std::string_view> words) {
  std::vector<std::string_view> anywhere;
  std::vector<std::string_view> beginning;
  for (const std::string_view word : words) {
    const bool begins = word.starts_with('^');
    (begins ? beginning : anywhere).push_back(word.substr(begins ? 1 : 0));
  }
  return {FoldedPhrases(anywhere), FoldedPhrases(beginning)};
}

const AskingWords& all_words(Asking asking) {
  static const std::vector<AskingWords> kWords = [] {
    std::vector<AskingWords> words;
    for (int i = 0; i <= static_cast<int>(Asking::kDifference); ++i)
      words.push_back(parted(words_for(static_cast<Asking>(i))));
    return words;
  }();
  return kWords[static_cast<size_t>(asking)];
}

}  // namespace

std::span<const std::string> asking_words(Asking asking) {
  return all_words(asking).anywhere.all();
}

bool asks_for(Asking asking, std::string_view question, std::string_view folded) {
  if (asking == Asking::kPlace && is_asked_where_french(question)) return true;
  if (asking == Asking::kPerson && asks_what_french(folded)) return false;
  if (asking == Asking::kDefinition && asks_to_what_spanish(folded)) return false;
  const AskingWords& words = all_words(asking);
  const auto begins = [&](const std::string& word) {
    return folded.substr(1).starts_with(word) && folded.substr(1 + word.size()).starts_with(' ');
  };
  const std::span<const std::string> beginning = words.beginning.all();
  return words.anywhere.any_in(folded) || std::any_of(beginning.begin(), beginning.end(), begins);
}

}  // namespace mneme::rag
