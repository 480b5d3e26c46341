#include "rag/text/asked/question_kind.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "rag/text/asked/price.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/asked/question_parts.h"
#include "rag/text/quantities/physical_units.h"
#include "rag/text/told/answer_cue.h"
#include "rag/text/told/quantity.h"
#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

std::unordered_set<std::string> asked(std::string_view question) {
  std::unordered_set<std::string> stems;
  for (const std::string& word : words_of(question)) stems.emplace(stem_of(word));
  return stems;
}

double cue(std::string_view question, std::string_view sentence) {
  return answer_cue(kind_of_question(question), sentence, asked(question), asked_unit(question));
}

TEST(QuestionKind, IsReadFromItsWords) {
  EXPECT_EQ(kind_of_question("Who accepted the proposal?"), QuestionKind::kPerson);
  EXPECT_EQ(kind_of_question("In what year was it built?"), QuestionKind::kDate);
  EXPECT_EQ(kind_of_question("When does it open?"), QuestionKind::kDate);
  EXPECT_EQ(kind_of_question("recipe for tomato soup"), QuestionKind::kManner);
  EXPECT_EQ(kind_of_question("rename a git branch"), QuestionKind::kManner);
  EXPECT_EQ(kind_of_question("Who wrote the recipe for tomato soup?"), QuestionKind::kPerson);
  EXPECT_EQ(kind_of_question("maximum line length in PEP 8"), QuestionKind::kNumber);
  EXPECT_EQ(kind_of_question("How many piers are there?"), QuestionKind::kNumber);
  EXPECT_EQ(kind_of_question("Where is Kelby?"), QuestionKind::kPlace);
  EXPECT_EQ(kind_of_question("Why was the GIL made optional?"), QuestionKind::kReason);
  EXPECT_EQ(kind_of_question("How do I list files?"), QuestionKind::kManner);
  EXPECT_EQ(kind_of_question("What is a wheel file?"), QuestionKind::kDefinition);
  EXPECT_EQ(kind_of_question("What is the population of Arnmouth?"), QuestionKind::kAttribute);
  EXPECT_EQ(kind_of_question("红烧肉要炖多少分钟？"), QuestionKind::kNumber);
  EXPECT_EQ(kind_of_question("誰が塔を建てましたか"), QuestionKind::kPerson);
  EXPECT_EQ(kind_of_question("Wann öffnet das Museum?"), QuestionKind::kDate);
  EXPECT_EQ(kind_of_question("Since when is it open?"), QuestionKind::kDate);
  EXPECT_EQ(kind_of_question("What is a pier and when was it built?"), QuestionKind::kDate);
  EXPECT_EQ(kind_of_question("What happens when a panic occurs?"), QuestionKind::kOther) << "in which case";
  EXPECT_EQ(kind_of_question("Who was king when the bridge fell?"), QuestionKind::kPerson);
  EXPECT_EQ(kind_of_question("What ingredients do I need?"), QuestionKind::kList);
  EXPECT_EQ(kind_of_question("凉面需要哪些原料？"), QuestionKind::kList);
  EXPECT_EQ(kind_of_question(""), QuestionKind::kOther);
  EXPECT_EQ(kind_of_question("whole wheat"), QuestionKind::kOther) << "words, not parts of words";
}

TEST(QuestionKind, WhoseWordItIsIsNoPartOfTheThing) {
  EXPECT_EQ(kind_of_question("What is a mutable variable in Rust?"), QuestionKind::kDefinition);
  EXPECT_EQ(kind_of_question("How do I define a function in Quill?"), QuestionKind::kManner);
  EXPECT_EQ(kind_of_question("What is the deepest lake of Norway?"), QuestionKind::kAttribute);
  EXPECT_EQ(asked_thing("What is ownership in Rust?"), "ownership");
}

TEST(QuestionKind, WhenMayAskForACase) {
  EXPECT_EQ(kind_of_question("When should I use a box?"), QuestionKind::kOther);
  EXPECT_EQ(kind_of_question("When does it open?"), QuestionKind::kDate);
}

TEST(QuestionKind, SomeQuestionsWantADate) {
  EXPECT_TRUE(wants_date("When did the wall fall?"));
  EXPECT_FALSE(wants_date("When should I fall?"));
  EXPECT_FALSE(wants_date("Wann ist Honig reif?"));
  EXPECT_FALSE(wants_date(""));
}

TEST(QuestionKind, ANameWithSignsIsOneThing) {
  EXPECT_EQ(kind_of_question("What does OTEL_EXPORTER_OTLP_ENDPOINT set?"), QuestionKind::kDefinition);
}

TEST(QuestionKind, TwoThingsAreCompared) {
  const std::string_view question = "What is the difference between a wheel and an egg?";
  EXPECT_EQ(kind_of_question(question), QuestionKind::kDifference);
  EXPECT_EQ(cue(question, "An egg may be imported, whereas a wheel must be installed."), 1.0);
  EXPECT_GT(cue(question, "Wheels and eggs are archives."), 0.0);
  EXPECT_LT(cue(question, "Wheels and eggs are archives."), 1.0);
  EXPECT_EQ(cue(question, "A wheel differs from what came before."), 0.0) << "the other thing is missing";
}

TEST(QuestionKind, AMeasureIsAskedForByAnAdjective) {
  EXPECT_EQ(asked_measure("How long may a line be?"), "long");
  EXPECT_EQ(asked_measure("Wie tief sind die Fundamente?"), "tief");
  EXPECT_EQ(asked_measure("How do I cut long lines?"), "");
  EXPECT_EQ(asked_measure(""), "");
}

TEST(QuestionKind, ShortFormsAreAskedAbout) {
  EXPECT_EQ(short_form_asked("What is the GIL?"), "gil");
  EXPECT_EQ(short_form_asked("What is the GIL lock?"), "");
  EXPECT_EQ(short_form_asked("What is a wheel?"), "");
  EXPECT_EQ(short_form_asked("Who wrote the GIL?"), "");
}

TEST(QuestionKind, EnglishQuestionsBeginSo) {
  EXPECT_TRUE(begins_english_question("which"));
  EXPECT_FALSE(begins_english_question("welche"));
  EXPECT_FALSE(begins_english_question(""));
}

TEST(QuestionParts, AQuestionMayAskTwice) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(question_parts("How do I descale it, and why not with vinegar?"),
            (Parts{"How do I descale it, ", "and why not with vinegar?"}));
  EXPECT_EQ(question_parts("When was it built and how high is it?"),
            (Parts{"When was it built ", "and how high is it?"}));
  EXPECT_EQ(question_parts("Who is she? Where does she live?"), (Parts{"Who is she? ", "Where does she live?"}));
  EXPECT_EQ(question_parts("红烧肉要炖多久，为什么要加冰糖？"), (Parts{"红烧肉要炖多久，", "为什么要加冰糖？"}));
  EXPECT_EQ(question_parts("Is there a lift? And how much is the deposit?"),
            (Parts{"Is there a lift? ", "And how much is the deposit?"}));
  EXPECT_EQ(question_parts("gibt es einen aufzug? und wie hoch ist die kaution"),
            (Parts{"gibt es einen aufzug? ", "und wie hoch ist die kaution"}));
  EXPECT_EQ(question_parts("How high is the deposit? can I keep a dog"),
            (Parts{"How high is the deposit? ", "can I keep a dog"}));
  EXPECT_EQ(question_parts("Is it open? Please answer briefly."), (Parts{"Is it open? Please answer briefly."}));
  EXPECT_EQ(question_parts("What is black and white?"), (Parts{"What is black and white?"}));
  EXPECT_EQ(question_parts("After the flood, where was the workshop?"),
            (Parts{"After the flood, where was the workshop?"}));
  EXPECT_EQ(question_parts("在家里，怎么做面？"), (Parts{"在家里，怎么做面？"}));
  EXPECT_EQ(question_parts("他是谁and where does she live?"), (Parts{"他是谁", "and where does she live?"}));
  EXPECT_EQ(question_parts("谁? where does she live?"), (Parts{"谁? ", "where does she live?"}));
  EXPECT_EQ(question_parts(""), (Parts{""}));
}

TEST(QuestionParts, OneByItselfIsWithoutWhatJoinsIt) {
  EXPECT_EQ(without_joiners("and why not with vinegar?"), "why not with vinegar?");
  EXPECT_EQ(without_joiners("How do I descale it, "), "How do I descale it");
  EXPECT_EQ(without_joiners("und wann?"), "wann?");
  EXPECT_EQ(without_joiners(" "), "");
}

TEST(AnswerCue, ShortFormsAreDefinedBySpellingThemOut) {
  EXPECT_EQ(cue("What is the GIL?", "The global interpreter lock (\"GIL\") lets one thread run."), 1.0);
  EXPECT_EQ(cue("What does RIP stand for?", "RIP (raster image processor): makes dots."), 1.0);
  EXPECT_EQ(cue("What is the GIL?", "Threads (all of them) wait for the GIL here."), 0.0);
}

TEST(AnswerCue, HoldsTheKindOfThingAskedFor) {
  EXPECT_EQ(cue("When was it built?", "It was built in 1873."), 1.0);
  EXPECT_EQ(cue("When was it built?", "It was built of stone."), 0.0);
  EXPECT_EQ(cue("When does it close?", "It closes in November."), 1.0);
  EXPECT_GT(cue("Who built it?", "It was built by Tilda Voss."), 0.0);
  EXPECT_EQ(cue("Who built Arnmouth?", "The town of Arnmouth is old."), 0.0) << "the question's own names are no news";
  EXPECT_EQ(cue("Why is it closed?", "It is closed because of the storm."), 1.0);
  EXPECT_EQ(cue("What is a wheel?", "A wheel is a ZIP-format archive."), 1.0);
  EXPECT_LT(cue("What is a wheel?", "A wheel is built by a tool."), 1.0);
  EXPECT_EQ(cue("What is a wheel?", "Installers unpack every wheel they meet."), 0.0);
  EXPECT_EQ(cue("红烧肉要炖多少分钟？", "小火炖四十分钟。"), 1.0);
}

TEST(AnswerCue, TheNumberOfAClauseCountsNothing) {
  for (const std::string_view heading : {"§ 4 Kaucja", "Art. 3 – Canone", "Artikel 5 Opzegging"}) {
    EXPECT_LT(counting_cue(heading, ""), 1.0) << heading;
    EXPECT_EQ(counting_cue(heading, kMoney), 0.0) << heading;
  }
  EXPECT_EQ(counting_cue("Kaucja z § 4 wynosi 4700 zł", kMoney), 1.0);
}

TEST(AnswerCue, TimeIsCountedInUnitsOfTime) {
  EXPECT_EQ(kind_of_question("How long does it boil?"), QuestionKind::kDuration);
  EXPECT_EQ(cue("蒸鱼要蒸多久？", "大火清蒸 10 分钟。"), 1.0);
  EXPECT_LT(cue("蒸鱼要蒸多久？", "蒸鱼豉油 10-15ml"), 0.5);
  EXPECT_EQ(cue("How long does it boil?", "It boils for three minutes."), 1.0);
  EXPECT_EQ(cue("How long does it boil?", "It boils minutes later."), 0.0) << "no number";
  EXPECT_GT(cue("How long is the bridge?", "It measures 300 m."), 0.0);
}

TEST(AnswerCue, APriceIsASumOfMoney) {
  for (const char* question : {"How much is it?", "How much did the theatre cost?", "Was kostet die Endreinigung?"}) {
    EXPECT_TRUE(asks_price(question)) << question;
    EXPECT_EQ(kind_of_question(question), QuestionKind::kNumber) << question;
    EXPECT_EQ(counting_cue("category: theatre; amount GBP: 78.00", asked_unit(question)), 1.0) << question;
    EXPECT_EQ(counting_cue("Endreinigung: 65 Euro.", asked_unit(question)), 1.0) << question;
    EXPECT_LT(counting_cue("It begins at 18:10.", asked_unit(question)), 1.0) << question;
    EXPECT_EQ(counting_cue("The pound is old.", asked_unit(question)), 0.0) << question;
  }
  EXPECT_FALSE(asks_price("How much does the anchor weigh?"));
  EXPECT_FALSE(asks_price("How much flour is in the dough?"));
}

TEST(AnswerCue, DeadlinesAndTimesOfDay) {
  const auto told = [](std::string_view question, std::string_view sentence) {
    return answer_cue(kind_of_question(question), sentence, {}, asked_unit(question));
  };
  for (const char* question :
       {"Until when do I have to pay it?", "Bis wann muss ich bezahlen?", "Hasta cuándo se paga?",
        "Jusqu'à quand peut-on annuler ?", "До какого числа надо оплатить?", "いつまでに払いますか？"}) {
    EXPECT_EQ(told(question, "Payable within 14 days."), 1.0) << question;
    EXPECT_EQ(told(question, "Zahlbar bis 3. Mai."), 1.0) << question;
    EXPECT_LT(told(question, "Invoice of 3 May 2026"), 1.0) << question << ": no last day";
    EXPECT_EQ(told(question, "Payable by card."), 0.0) << question;
  }
  EXPECT_EQ(told("What time is the course?", "Thursdays at 16:30"), 1.0);
  EXPECT_LT(told("几点集合？", "5月15日参观"), 1.0) << "a day is no time of it";
  EXPECT_EQ(told("几点集合？", "早上7点40分集合"), 1.0);
}

TEST(AnswerCue, DaysAreDates) {
  for (const char* sentence : {"payable on the 3rd day of each month", "It is closed on Mondays.",
                               "due on the 12th of "
                               "May or June",
                               "Der Müll wird dienstags abgeholt."}) {
    EXPECT_EQ(cue("When is the rent due?", sentence), 1.0) << sentence;
  }
  EXPECT_EQ(cue("When is the rent due?", "The 4th floor is to let, with 2nd hand chairs."), 0.0);
}

TEST(AnswerCue, DayAndMonthAreADate) {
  for (const char* sentence : {"20.2. Peppers came up", "on 3/14", "am 1.12. um acht", "8.2."}) {
    EXPECT_EQ(cue("When did the peppers come up?", sentence), 1.0) << sentence;
  }
  for (const char* sentence : {"version 2.1 is out", "half a litre, 1.5", "192.168.178.1", "and/or", "1/2x"}) {
    EXPECT_EQ(cue("When did the peppers come up?", sentence), 0.0) << sentence;
  }
}

TEST(QuestionKind, WhatToDoAsksForSteps) {
  EXPECT_EQ(kind_of_question("What should I do when the queue is stuck?"), QuestionKind::kManner);
  EXPECT_EQ(kind_of_question("How hot should the oven be?"), QuestionKind::kNumber);
}

TEST(AnswerCue, ANumberOfWhatIsCounted) {
  EXPECT_EQ(asked_unit("How many old piers are there?"), "pier");
  EXPECT_EQ(asked_unit("How many piers are there?"), "pier");
  EXPECT_EQ(asked_unit("How old is the pier?"), kAge);
  EXPECT_EQ(asked_unit("Wie alt ist Milo?"), kAge);
  EXPECT_EQ(counting_cue("Milo is three years old.", kAge), 1.0);
  EXPECT_EQ(counting_cue("Milo weighs 31.4 kg.", kAge), 0.0);
  EXPECT_EQ(asked_unit("How much flour is in it?"), "");
  EXPECT_EQ(asked_unit("この塔は何メートルですか"), "メートル");
  EXPECT_EQ(asked_unit("山上有几家旅馆？"), "家旅馆");
  EXPECT_EQ(asked_unit("何ですか"), "");
  EXPECT_EQ(kind_of_question("この塔は何メートルですか"), QuestionKind::kNumber);
  EXPECT_EQ(kind_of_question("旗は何色ですか"), QuestionKind::kOther) << "no number";
  EXPECT_EQ(asked_unit("如何使用docker？"), "");
  EXPECT_EQ(kind_of_question("如何docker？"), QuestionKind::kManner);
  const std::string_view question = "How many piers does it have?";
  EXPECT_EQ(cue(question, "It has three wooden piers."), 1.0);
  EXPECT_LT(cue(question, "It was opened in 1873 with its piers."), 1.0);
  EXPECT_GT(cue(question, "It was opened in 1873."), 0.0);
  EXPECT_EQ(cue(question, "It has piers."), 0.0);
  EXPECT_EQ(cue("乗客は何人でしたか？", "乗客は120人だった。"), 1.0);
  EXPECT_EQ(cue("乗客は何人でしたか？", "乗客は三人だった。"), 1.0);
  EXPECT_LT(cue("乗客は何人でしたか？", "3月に多くの人がいた。"), 1.0);
}

TEST(QuestionKind, StepsAreAskedForByTheirName) {
  EXPECT_EQ(kind_of_question("可乐鸡翅的步骤是什么？"), QuestionKind::kManner);
  EXPECT_EQ(kind_of_question("What are the steps to descale the kettle?"), QuestionKind::kManner);
}

TEST(QuestionKind, AListIsHeadedByTheWordThatAsksForIt) {
  EXPECT_TRUE(heads_asked_list("宫保鸡丁需要哪些原料？", "必备原料和工具"));
  EXPECT_TRUE(heads_asked_list("Which ingredients does the soup need?", "## Ingredients"));
  EXPECT_TRUE(heads_asked_list("宫保鸡丁需要什么材料？", "必备原料和工具"));
  EXPECT_TRUE(heads_asked_list("What goes into guacamole?", "Ingredients"));
  EXPECT_FALSE(heads_asked_list("Which ingredients does the soup need?", "Method"));
  EXPECT_FALSE(heads_asked_list("What is soup?", "Ingredients"));
  EXPECT_FALSE(heads_asked_list("", ""));
}

TEST(QuestionKind, ANumberIsNotAlwaysAYear) {
  EXPECT_GT(answer_cue(QuestionKind::kDate, "It was opened in 1953.", {}), 0.0);
  EXPECT_GT(answer_cue(QuestionKind::kDate, "It ends with 2039", {}), 0.0);
  EXPECT_EQ(answer_cue(QuestionKind::kDate, "The rule of RFC 3107 and 12345.", {}), 0.0);
}

TEST(QuestionKind, TheThingThatIsToBeDefined) {
  EXPECT_EQ(asked_thing("What is a trait object in Rust?"), "trait object");
  EXPECT_EQ(asked_thing("What is a type hint?"), "type hint");
  EXPECT_EQ(asked_thing("what is the unit type"), "unit type");
  EXPECT_EQ(asked_thing("什么是所有权？"), "所有权");
  EXPECT_EQ(asked_thing("How do I make one?"), "");
}

TEST(QuestionKinds, MeasuresAreNumbersAndPluralsAreLists) {
  EXPECT_EQ(kind_of_question("What line length does the guide recommend?"), QuestionKind::kNumber);
  EXPECT_EQ(kind_of_question("At what temperature is bread baked?"), QuestionKind::kNumber);
  EXPECT_NE(kind_of_question("What is the size of the harbour?"), QuestionKind::kNumber);
  EXPECT_EQ(kind_of_question("What are the signals of the system?"), QuestionKind::kList);
  EXPECT_EQ(enumerating_cue("It has traces, metrics and logs."), 0.3);
  EXPECT_EQ(enumerating_cue("It has traces, metrics, and logs."), 1.0);
  EXPECT_EQ(enumerating_cue("It supports:\n- traces\n- logs"), 1.0);
  EXPECT_EQ(enumerating_cue("It has traces."), 0.0);
}

TEST(QuestionKind, HowToDoItWhateverIsDone) {
  EXPECT_EQ(kind_of_question("How do I see who is logged in?"), QuestionKind::kManner);
  EXPECT_EQ(kind_of_question("How can I find out when a file was changed?"), QuestionKind::kManner);
  EXPECT_EQ(kind_of_question("How many people are logged in?"), QuestionKind::kNumber);
}

TEST(QuestionKind, IsReadInTheWordsOfOneLanguage) {
  constexpr std::pair<std::string_view, QuestionKind> kAsked[] = {
      {"när går försäkringen ut", QuestionKind::kDate},
      {"kdy končí smlouva", QuestionKind::kDate},
      {"milloin retki on", QuestionKind::kDate},
      {"mikor lesz a kirándulás", QuestionKind::kDate},
      {"când e scadentă factura", QuestionKind::kDate},
      {"коли закінчується договір", QuestionKind::kDate},
      {"계약은 언제 끝나요", QuestionKind::kDate},
      {"hur lång är uppsägningstiden", QuestionKind::kDuration},
      {"jak dlouho trvá program", QuestionKind::kDuration},
      {"kauanko ohjelma kestää", QuestionKind::kDuration},
      {"na ile lat jest umowa", QuestionKind::kDuration},
      {"hoe vaak moet het filter schoon", QuestionKind::kFrequency},
      {"jak často čistit filtr", QuestionKind::kFrequency},
      {"hur hög är hyran", QuestionKind::kNumber},
      {"mennyi a kaució", QuestionKind::kNumber},
      {"cât e chiria", QuestionKind::kNumber},
      {"hoe groot is de woning", QuestionKind::kNumber},
      {"vem är hyresvärd", QuestionKind::kPerson},
      {"ki a bérbeadó", QuestionKind::kPerson},
      {"cine este proprietarul", QuestionKind::kPerson},
      {"var bokar man tvättstugan", QuestionKind::kPlace},
      {"hol lakik a bérbeadó", QuestionKind::kPlace},
      {"miksi tunti siirrettiin", QuestionKind::kReason},
      {"de ce nu se face înot", QuestionKind::kReason},
  };
  for (const auto& [question, kind] : kAsked) EXPECT_EQ(kind_of_question(question), kind) << question;
  EXPECT_NE(kind_of_question("can the cat sit on the var file"), QuestionKind::kNumber);
  EXPECT_NE(kind_of_question("can the cat sit on the var file"), QuestionKind::kPlace);
}

TEST(QuestionKind, IsReadInManyLanguages) {
  constexpr std::pair<std::string_view, QuestionKind> kAsked[] = {
      {"Um wie viel Uhr beginnt das Konzert?", QuestionKind::kDate},
      {"À quelle heure part le train ?", QuestionKind::kDate},
      {"¿Hasta cuándo está cerrado el puente?", QuestionKind::kDate},
      {"Quando scade il biglietto?", QuestionKind::kDate},
      {"Во сколько закрывается музей?", QuestionKind::kDate},
      {"К какому числу нужен отчёт?", QuestionKind::kDate},
      {"会议几点开始？", QuestionKind::kDate},
      {"会議は何時に始まりますか？", QuestionKind::kDate},
      {"何時間かかりますか？", QuestionKind::kDuration},
      {"Combien de temps dure la visite ?", QuestionKind::kDuration},
      {"Как долго варить рис?", QuestionKind::kDuration},
      {"Wie oft wird die Heizung gewartet?", QuestionKind::kFrequency},
      {"¿Cada cuánto se riega el jardín?", QuestionKind::kFrequency},
      {"どのくらいの頻度で交換しますか？", QuestionKind::kFrequency},
      {"How often should I water it?", QuestionKind::kFrequency},
      {"Quanto costa il biglietto?", QuestionKind::kNumber},
      {"入場料はいくらですか？", QuestionKind::kNumber},
      {"Chi ha scritto la lettera?", QuestionKind::kPerson},
      {"Кому принадлежит дом?", QuestionKind::kPerson},
      {"Où se trouve la gare ?", QuestionKind::kPlace},
      {"Dove si trova la stazione?", QuestionKind::kPlace},
      {"駅はどこですか？", QuestionKind::kPlace},
      {"Perché il ponte è chiuso?", QuestionKind::kReason},
      {"なぜ橋は閉まっていますか？", QuestionKind::kReason},
      {"Что взять с собой в поход?", QuestionKind::kList},
      {"要带什么去野营？", QuestionKind::kList}};
  for (const auto& [question, kind] : kAsked) EXPECT_EQ(kind_of_question(question), kind) << question;
}

TEST(QuestionKind, WordsOfOtherLanguagesAskNothingInEnglish) {
  EXPECT_EQ(kind_of_question("Did he come along?"), QuestionKind::kOther) << "Italian come, how";
  EXPECT_EQ(kind_of_question("Is the dove white?"), QuestionKind::kOther) << "Italian dove, where";
  EXPECT_EQ(kind_of_question("Veut-elle du thé ou du café ?"), QuestionKind::kOther) << "ou, or";
}

TEST(AnswerCue, TimesFrequenciesAndSumsOfManyLanguages) {
  EXPECT_EQ(cue("À quelle heure part le train ?", "Départ samedi à 6 h 40."), 1.0);
  EXPECT_EQ(cue("会議は何時ですか？", "午後2時から始まる。"), 1.0);
  EXPECT_EQ(cue("Когда собрание?", "Оно будет 16 мая."), 1.0);
  EXPECT_EQ(cue("Quando è la gita?", "Si terrà mercoledì."), 1.0);
  EXPECT_EQ(cue("Wie oft wird gereinigt?", "Alle zwei Monate reinigen."), 1.0);
  EXPECT_EQ(cue("Как часто чистить фильтр?", "Чистить раз в полгода."), 1.0);
  EXPECT_EQ(cue("Wie oft wird gereinigt?", "Mit Wasser reinigen."), 0.0);
  EXPECT_EQ(cue("Сколько стоит билет?", "Цена 450 рублей."), 1.0);
  EXPECT_EQ(cue("入場料はいくらですか？", "大人850円。"), 1.0);
  EXPECT_EQ(cue("Почему закрыт мост?", "Мост закрыт, потому что его красят."), 1.0);
}

TEST(AnswerCue, ASumIsNoAmountOfSomethingElse) {
  const std::string_view question = "Combien de litres avons-nous consommé ?";
  EXPECT_GT(cue(question, "Consommation : 380 litres."), cue(question, "Consommation 152,04 €"));
}

TEST(AnswerCue, NumbersOfInvoicesCountNothing) {
  EXPECT_LT(cue("¿Cuánto fue la factura?", "Número de factura: E-4471902"), 1.0);
  EXPECT_EQ(cue("¿Cuánto fue la factura?", "Importe total: 58,73 €"), 1.0);
}

TEST(AnswerCue, HowOftenIsNotHowManyTimes) {
  const std::unordered_set<std::string> asked;
  EXPECT_EQ(answer_cue(QuestionKind::kFrequency, "With hard water this is about every six weeks.", asked), 1.0);
  EXPECT_EQ(answer_cue(QuestionKind::kFrequency, "Take it three times a day.", asked), 1.0);
  EXPECT_EQ(answer_cue(QuestionKind::kFrequency, "Change the oil every 12,000 km.", asked), 1.0);
  EXPECT_LT(answer_cue(QuestionKind::kFrequency, "Rinse the kettle three times with fresh water.", asked), 1.0);
}

TEST(QuestionKind, WhenWeArriveIsADay) {
  EXPECT_EQ(kind_of_question("When do I collect the van?"), QuestionKind::kDate);
  EXPECT_EQ(kind_of_question("When do we fly to Lisbon?"), QuestionKind::kDate);
  EXPECT_NE(kind_of_question("When do I need a lock?"), QuestionKind::kDate);
  for (const char* question :
       {"When do I have to book the ferry?", "When should I renew the passport?", "When do we need to register?",
        "When do I have to pay?", "When do we pick up the keys?"})
    EXPECT_EQ(kind_of_question(question), QuestionKind::kDate) << question;
}

TEST(QuestionKind, WhatEndsWithAPrepositionAsksForNoDefinition) {
  EXPECT_EQ(kind_of_question("What is Maya allergic to?"), QuestionKind::kAttribute);
  EXPECT_EQ(kind_of_question("What is attention?"), QuestionKind::kDefinition);
  EXPECT_TRUE(asks_particular("What's my new rent?"));
}

}  // namespace
}  // namespace mneme::rag
