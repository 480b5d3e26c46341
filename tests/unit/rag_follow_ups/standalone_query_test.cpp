#include "rag/follow_ups/standalone_query.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "rag/follow_ups/asked_topic.h"
#include "rag/follow_ups/pleasantries.h"
#include "rag/follow_ups/wide_follow_ups.h"

namespace mneme::rag {
namespace {

// What the last of the questions is taken for.
std::string asked(const std::vector<std::string>& questions) {
  std::vector<Turn> history;
  for (size_t i = 0; i + 1 < questions.size(); ++i) history.push_back({questions[i], "..."});
  return standalone_query(questions.back(), history);
}

TEST(StandaloneQuery, TakesOverWhatAFollowUpLeavesOut) {
  EXPECT_EQ(asked({"When does the Arnmouth museum open?", "And in winter?"}), "And in winter? (the Arnmouth museum)");
  EXPECT_EQ(asked({"When does the Arnmouth museum open?", "Where is the Kelby lighthouse?"}),
            "Where is the Kelby lighthouse?");
  EXPECT_EQ(asked({"And in winter?"}), "And in winter?");
}

TEST(StandaloneQuery, TheCheapestIsOneOfWhatIsTalkedAbout) {
  EXPECT_EQ(asked({"How much is the heat pump?", "The cheapest?"}), "The cheapest? (the heat pump)");
}

TEST(StandaloneQuery, ThingsStandForPronouns) {
  EXPECT_EQ(asked({"When is the rent of the flat due?", "And how much is it?"}), "How much is the rent of the flat?");
  EXPECT_EQ(asked({"When is the family reunion?", "Where is it?"}), "Where is the family reunion?");
  EXPECT_EQ(asked({"What is the total of invoice 2026-014?", "Is that with VAT?"}),
            "Is the total of invoice 2026-014 with VAT?");
  EXPECT_EQ(asked({"When does Oscar's swimming course start?", "And how much is the advanced one?"}),
            "How much is the advanced course?");
  EXPECT_EQ(asked({"Wie hoch ist die Kaution?", "Bis wann muss ich sie überweisen?"}),
            "Bis wann muss ich die Kaution überweisen?");
}

TEST(StandaloneQuery, WhereNoWordStandsForItTheTopicIsNamedBehind) {
  EXPECT_EQ(asked({"When is the rent of the flat due?", "Whom do I pay?"}), "Whom do I pay? (the rent of the flat)");
  EXPECT_EQ(asked({"Combien coûte l'hôtel ?", "Combien coûte-t-il par nuit ?"}),
            "Combien coûte-t-il par nuit ? (l'hôtel)");
  EXPECT_EQ(asked({"When is the rent due?", "What happens that day?"}), "What happens that day? (the rent)");
  EXPECT_EQ(asked({"When do we fly to Lisbon?", "Can we still cancel it?"}), "Can we still cancel it? (Lisbon)")
      << "a town is not what is cancelled";
}

TEST(StandaloneQuery, WordsThatAskAreExchanged) {
  EXPECT_EQ(asked({"How do I descale the kettle?", "How often?"}), "How often do I descale the kettle?");
  EXPECT_EQ(asked({"When is the rent due?", "Why?"}), "Why is the rent due?");
  EXPECT_EQ(asked({"Can I keep a dog in the flat?", "Since when?"}), "Since when can I keep a dog in the flat?");
  EXPECT_EQ(asked({"Wann wird das Wasser angestellt?", "Und warum?"}), "Warum wird das Wasser angestellt?");
  EXPECT_EQ(asked({"How many days of annual leave do I get?", "Until when?"}), "Until when? (annual leave)")
      << "no sentence comes of it";
}

TEST(StandaloneQuery, ThingsOfWhichTheSameCannotBeAsked) {
  EXPECT_EQ(asked({"Who is the landlord?", "What about the deposit?"}), "What about the deposit?");
  EXPECT_EQ(asked({"When is the rent due?", "And where is the stopcock?"}), "And where is the stopcock?");
  EXPECT_EQ(asked({"Is the Hotel Meridian open in winter?", "And the Lamp House?"}),
            "Is the Lamp House open in winter?");
}

TEST(StandaloneQuery, GoesOnOverSeveralTurns) {
  const std::vector<std::string> talk = {"How much is the contents insurance a year?", "When do I have to pay it?",
                                         "What about the travel insurance?", "What is the excess there?",
                                         "Does it cover skiing?"};
  const auto turn = [&](size_t n) { return asked({talk.begin(), talk.begin() + static_cast<std::ptrdiff_t>(n)}); };
  EXPECT_EQ(turn(2), "When do I have to pay the contents insurance?");
  EXPECT_EQ(turn(3), "When do I have to pay the travel insurance?");
  EXPECT_EQ(turn(4), "What is the excess there? (the travel insurance)");
  EXPECT_EQ(turn(5), "Does the travel insurance cover skiing?");
}

TEST(StandaloneQuery, ADocumentOfAListIsWhatIsTalkedAbout) {
  const auto behind = [](std::string_view before, std::string_view question) {
    const std::vector<Turn> history = {{"Which files mention a lease?", "..."},
                                       {std::string(before), "...", {"/papers/flat 7.pdf"}}};
    return standalone_query(question, history);
  };
  EXPECT_EQ(behind("Open the second one", "And who signed it?"), "Who signed flat 7?");
  EXPECT_EQ(behind("What does the second one say about the deposit?", "And how much is it?"),
            "How much is the deposit?");
}

TEST(StandaloneQuery, OfTwoTopicsTheOneThatTheWordsCanBeAboutComesFirst) {
  const std::vector<Turn> history = {{"When does Oscar's swimming course start?", "..."},
                                     {"How much is a lesson?", "..."}};
  EXPECT_EQ(standalone_query("Where is it?", history), "Where is a lesson?") << "what was said last";
  EXPECT_EQ(standalone_query("How old is he?", history), "How old is he? (Oscar's swimming course)");
  EXPECT_EQ(standalone_query("How much is the advanced one?", history), "How much is the advanced course?");
}

TEST(StandaloneQuery, AQuestionThatSaysAllItselfEndsTheTalkBefore) {
  const std::vector<Turn> history = {{"When does Oscar's swimming course start?", "..."},
                                     {"Which ferries leave from Kelby harbour on Sundays?", "..."}};
  for (const QuestionReading& reading : question_readings("Whom do I pay?", history)) {
    EXPECT_EQ(reading.question.find("Oscar"), std::string::npos) << reading.question;
  }
}

TEST(StandaloneQuery, MoreLanguagesGoOn) {
  const auto behind = [](std::string_view before, std::string_view question) {
    const Turn turn{std::string(before), "", {"a.md"}};
    return standalone_query(question, {&turn, 1});
  };
  EXPECT_EQ(behind("Wanneer gaat de huur in?", "En waar?"), "Waar gaat de huur in?");
  EXPECT_EQ(behind("Når er foreldremøtet?", "Og hvor?"), "Hvor er foreldremøtet?");
  EXPECT_EQ(behind("Kdy je schůze?", "A kde?"), "Kde je schůze?");
  EXPECT_NE(behind("Wie is de verhuurder van de woning?", "En wat is haar telefoonnummer?").find("verhuurder"),
            std::string::npos);
  EXPECT_EQ(behind("was kostet der stromvertrag im monat?", "Und ab wann?"), "Und ab wann? (der stromvertrag)");
  EXPECT_EQ(behind("когда придёт сантехник?", "А какой у него телефон?").find("когда какой"), std::string::npos);
}

TEST(StandaloneQuery, ThanksAreNoQuestion) {
  EXPECT_EQ(asked({"When is the rent due?", "Thanks. Where is the stopcock?"}), "Where is the stopcock?");
  EXPECT_EQ(asked({"Wie hoch ist die Miete?", "Danke! Was kostet die Klassenfahrt?"}), "Was kostet die Klassenfahrt?");
  EXPECT_EQ(asked({"房租多少钱？", "谢谢。自然博物馆几点集合？"}), "自然博物馆几点集合？");
  EXPECT_EQ(asked({"Hello"}), "Hello");
  EXPECT_EQ(without_pleasantries("Thanks!"), "Thanks!");
  EXPECT_EQ(without_pleasantries("Thanks to whom, and why?"), "Thanks to whom, and why?");
}

TEST(StandaloneQuery, ChineseAndJapanese) {
  EXPECT_EQ(asked({"房租多少钱？", "什么时候付？"}), "房租：什么时候付？");
  EXPECT_EQ(asked({"换刹车片花了多少钱？", "四轮定位呢？"}).find("四轮定位"), 0U);
  EXPECT_EQ(asked({"家賃はいくらですか？", "それはいつまでに払いますか？"}), "家賃はいつまでに払いますか？");
  EXPECT_EQ(asked({"家賃はいくらですか？", "敷金は？"}), "敷金はいくらですか？");
  EXPECT_EQ(asked({"社会科見学はいつですか？", "その費用は？"}), "社会科見学の費用は？");
  EXPECT_EQ(asked({"什么时候付房租？", "多少钱？"}), "房租：多少钱？");
  EXPECT_NE(asked({"红烧肉怎么做？", "它要炖多久？"}).find("红烧肉"), std::string::npos);
}

TEST(StandaloneQuery, AReadingThatFindsNothingGivesWayToOthers) {
  const std::vector<Turn> history = {{"When is the rent of the flat due?", "..."}};
  const std::vector<QuestionReading> readings = question_readings("Is the garden let?", history);
  ASSERT_EQ(readings.size(), 2U);
  EXPECT_EQ(readings[0].question, "Is the garden let?") << "it names a thing of its own";
  EXPECT_EQ(readings[1].question, "Is the garden let? (the rent of the flat)");
  EXPECT_EQ(readings[1].leaned_on, "the rent of the flat");
  EXPECT_EQ(question_readings("Which ferries leave from Kelby harbour on Sundays?", history).size(), 1U);
}

TEST(StandaloneQuery, WhatPointsBackAndSaysLittleIsNotReadAlone) {
  const std::vector<Turn> history = {{"Which places did Lena ask for the offsite?", "..."}};
  for (const QuestionReading& reading : question_readings("Which one is the cheapest?", history)) {
    EXPECT_FALSE(reading.is_alone) << reading.question;
    EXPECT_NE(reading.question.find("the offsite"), std::string::npos);
  }
}

TEST(StandaloneQuery, AQuestionWithAThingOfItsOwnNamesIt) {
  const std::vector<Turn> history = {{"When is the next TÜV of the car?", "..."}};
  const std::vector<QuestionReading> readings = question_readings("What is the price of the bicycle?", history);
  ASSERT_EQ(readings.size(), 2U);
  EXPECT_TRUE(readings[0].is_alone);
  for (const QuestionReading& reading : readings) EXPECT_EQ(reading.named, "the price of the bicycle");
}

TEST(StandaloneQuery, TopicsOfOtherDocumentsAreLeft) {
  std::vector<Turn> history = {{"How do I clean the filter of the dishwasher?", "...", {"/manual.md"}},
                               {"When do we fly to Lisbon?", "...", {"/flight.eml"}}};
  const auto leaned_on = [&] {
    std::vector<std::string> topics;
    for (const QuestionReading& reading : question_readings("Whom do I pay?", history))
      topics.push_back(reading.leaned_on);
    return topics;
  };
  EXPECT_EQ(leaned_on(), std::vector<std::string>{"Lisbon"});
  history[1].documents = {"/manual.md"};
  EXPECT_EQ(leaned_on().size(), 2U) << "both are told there";
  const QuestionReading back = question_readings("And back?", history).front();
  EXPECT_EQ(back.question, "When do we fly on the return?");
  EXPECT_EQ(back.leaned_on, "") << "it is of neither";
}

TEST(StandaloneQuery, DocumentsOfTheTalkAreThoseBeforeThanks) {
  const std::vector<Turn> history = {{"When is the rent due?", "...", {"/lease.md"}}, {"Thanks!", "..."}};
  ASSERT_EQ(talked_of(history).size(), 1U);
  EXPECT_EQ(talked_of(history).front(), "/lease.md");
  EXPECT_TRUE(talked_of({}).empty());
  EXPECT_EQ(question_readings("Whom do I pay?", history).front().leaned_on, "the rent");
}

TEST(Pleasantries, AreAnsweredInTheirLanguage) {
  EXPECT_EQ(reply_to_pleasantry("Thanks!"), "You are welcome.");
  EXPECT_EQ(reply_to_pleasantry("Ok, danke."), "Gern geschehen.");
  EXPECT_EQ(reply_to_pleasantry("谢谢。"), "不客气。");
  EXPECT_EQ(reply_to_pleasantry("Bonjour"), "Bonjour ! Que voulez-vous savoir ?");
  for (const char* text : {"", "!", "Thanks. Where is the stopcock?", "Thanks to whom, and why?"}) {
    EXPECT_EQ(reply_to_pleasantry(text), "") << text;
  }
}

TEST(StandaloneQuery, AnyTextIsSurvived) {
  Random random(5);
  const std::string_view alphabet[] = {"and ", "the ", "it",   "Rent's ", "?",    " (",   ")",        "それ",   "は",
                                       "呢",   "：",   "\xc3", "é",       "one ", "das ", "Thanks. ", "谢谢。", "в "};
  for (int round = 0; round < 2000; ++round) {
    std::vector<Turn> history(2);
    std::string question;
    for (int i = 0; i < 6; ++i) {
      history[0].question += alphabet[random.below(std::size(alphabet))];
      history[1].question += alphabet[random.below(std::size(alphabet))];
      question += alphabet[random.below(std::size(alphabet))];
    }
    EXPECT_FALSE(question_readings(question, history).empty());
  }
}

TEST(FollowUp, Rules) {
  for (const char* question : {"What about dogs?", "How old was she?", "why?", "Whom do I pay?", "Und der Keller?",
                               "Ist das mit Mehrwertsteuer?", "А залог?", "敷金は？", "那押金呢？"}) {
    EXPECT_TRUE(is_follow_up(question)) << question;
  }
  for (const char* question :
       {"Which ferries leave from Kelby harbour?", "Wo steht das alte Auto?", "Y a-t-il une belle cave ?",
        "Faut-il payer la taxe ?", "夏祭りはいつですか？", "自然博物馆几点集合？"}) {
    EXPECT_FALSE(is_follow_up(question)) << question;
  }
}

TEST(FollowUp, GermanInSmallLettersNamesThingsToo) {
  EXPECT_FALSE(is_follow_up("wie hoch ist die kaution"));
  EXPECT_FALSE(is_follow_up("Wie hoch ist die kaution?"));
  EXPECT_TRUE(is_follow_up("wie hoch ist die?"));
  EXPECT_TRUE(is_follow_up("ist das teuer"));
  EXPECT_TRUE(is_follow_up("Was kostet die mit dem Auto?"));
}

TEST(FollowUp, ShortQuestionsMayGoOn) {
  EXPECT_TRUE(may_go_on("Can I keep a dog?"));
  EXPECT_TRUE(may_go_on("What about dogs?"));
  EXPECT_FALSE(may_go_on("Which ferries leave from Kelby harbour on Sundays?"));
}

TEST(FollowUp, WhatIsAskedOfInPlaceOfAnotherIsNamed) {
  const auto named = [](const char* before, const char* question) {
    const std::vector<Turn> history = {{before, "..."}};
    return question_readings(question, history).front().named;
  };
  EXPECT_EQ(named("What does F75 mean?", "And F22?"), "And F22?");
  EXPECT_EQ(named("家賃はいくらですか？", "敷金は？"), "敷金は？");
  EXPECT_EQ(named("How do I descale the kettle?", "How often?"), "") << "of the same thing";
  EXPECT_EQ(named("When is the rent due?", "Whom do I pay?"), "");
}

TEST(AskedTopic, IsWhatTheQuestionIsAbout) {
  const auto topic = [](std::string_view question) { return std::string(topic_of(question).text); };
  EXPECT_EQ(topic("When is the rent of the flat due?"), "the rent of the flat");
  EXPECT_EQ(topic("When does Oscar's swimming course start?"), "Oscar's swimming course");
  EXPECT_EQ(topic("What does error F22 of the boiler mean?"), "error F22 of the boiler");
  EXPECT_EQ(topic("How much is the contents insurance a year?"), "the contents insurance");
  EXPECT_EQ(topic("How many eggs do I need for the cake?"), "the cake");
  EXPECT_EQ(topic("Wie alt ist Mia?"), "Mia");
  EXPECT_EQ(topic("Wie alt ist Özlem?"), "Özlem");
  EXPECT_EQ(topic("Wie alt ist özlem?"), "") << "one small word may be anything";
  EXPECT_EQ(topic("Где Казань?"), "Казань");
  EXPECT_EQ(topic("Где казань?"), "");
  EXPECT_EQ(topic("What is lease-2031 about?"), "lease-2031");
  EXPECT_EQ(topic("What is it about?"), "");
  EXPECT_EQ(topic("How far is the lake a day?"), "the lake");
  EXPECT_EQ(topic("How much does Anna's boat cost per month?"), "Anna's boat");
  EXPECT_EQ(topic("How many days of annual leave do I get?"), "annual leave");
  EXPECT_EQ(topic("Was hat die Werkstatt für den Ölwechsel verlangt?"), "die Werkstatt für den Ölwechsel");
  EXPECT_EQ(topic("Quelle est la franchise de l'assurance auto ?"), "la franchise de l'assurance auto");
  EXPECT_EQ(topic("Сколько стоит аренда квартиры?"), "аренда квартиры");
  EXPECT_EQ(topic("Quand faut-il le payer ?"), "");
  EXPECT_EQ(topic("Whom do I pay?"), "");
  EXPECT_EQ(topic("Whom do I pay? (the rent)"), "the rent");
  EXPECT_EQ(wide_topic_of("家賃はいくらですか？"), "家賃");
  EXPECT_EQ(wide_topic_of("什么时候付？"), "");
}

}  // namespace
}  // namespace mneme::rag
