#include "rag/retrieval/first_look.h"

#include <gtest/gtest.h>

#include "rag/text/documents/document_names.h"

namespace mneme::rag {
namespace {

std::vector<PassageEvidence> look(std::string_view question, const std::vector<LookedAt>& passages) {
  std::vector<PassageEvidence> evidence(passages.size());
  FirstLook(question, [](std::string_view) { return 1.0; }).look(passages, evidence);
  return evidence;
}

TEST(CalledNames, AreVersionsOfSeveralNumbers) {
  EXPECT_EQ(CalledNames("When was 3.0.0 released?", CalledNames::Which::kIdentifiers).share_in("3.0.0 (2025)"), 1.0);
  EXPECT_EQ(CalledNames("When is release 4.3 due?", CalledNames::Which::kIdentifiers).share_in("Release 4.2"), 0.0);
  for (const char* question : {"What happened on 12.03.26?", "Was ist am 12.3. los?", "Who comes at 4.30?"}) {
    EXPECT_TRUE(CalledNames(question, CalledNames::Which::kIdentifiers).empty()) << question;
  }
}

TEST(CalledNames, AreWordsWithNumbersNextToEachOther) {
  const CalledNames pep("What is the maximum line length in PEP 8?");
  EXPECT_EQ(pep.share_in("PEP 8: Style Guide"), 1.0);
  EXPECT_EQ(pep.share_in("Style Guide\npep-0008"), 1.0) << "the file's name, with leading zeros";
  EXPECT_EQ(pep.share_in("PEP 584: Union operators\npep-0584"), 0.0);
  EXPECT_EQ(pep.share_in("8 reasons for a PEP"), 0.0);
  EXPECT_EQ(CalledNames("How much does the P300 weigh?").share_in("Ardent P300 garden pump"), 1.0);
  EXPECT_EQ(CalledNames("Compare chapter 3 and chapter 4").share_in("Chapter 3"), 0.5);
  EXPECT_TRUE(CalledNames("What happened in 2030?").empty()) << "a number behind a grammar word names nothing";
  EXPECT_TRUE(CalledNames("").empty());
}

TEST(CalledNames, SomeCanBeNothingElse) {
  constexpr auto kOnly = CalledNames::Which::kIdentifiers;
  EXPECT_EQ(CalledNames("Who wrote PEP 8?", kOnly).share_in("PEP 8: Style Guide"), 1.0);
  EXPECT_FALSE(CalledNames("How much does the P300 weigh?", kOnly).empty());
  EXPECT_TRUE(CalledNames("When does season 3 begin?", kOnly).empty());
  EXPECT_TRUE(CalledNames("who wrote pep 8", kOnly).empty()) << "without capitals it may be anything";
}

TEST(FirstLook, SeesSignsAndNames) {
  const std::vector<LookedAt> passages = {{"The `?` operator hands an error on.", "Quill 2"},
                                          {"The dot operator calls a method.", "Quill 3"}};
  const auto evidence = look("What does the ? operator of Quill 2 do?", passages);
  EXPECT_EQ(evidence[0].symbols, 1.0);
  EXPECT_EQ(evidence[1].symbols, 0.0);
  EXPECT_EQ(evidence[0].named, 1.0);
  EXPECT_EQ(evidence[1].named, 0.0);
  EXPECT_EQ(look("Who wrote QEP 8?", {{"Whatever.", "QEP 8: Style"}})[0].named, 2.0) << "nothing but a name";
}

TEST(FirstLook, SeesTitlesThatAreAskedAbout) {
  const std::vector<LookedAt> passages = {{"List the contents.", "", "", "", "tar"},
                                          {"List them.", "", "", "", "list"}};
  const auto evidence = look("How do I list a tar archive?", passages);
  EXPECT_GT(evidence[0].titled, 0.0);
  EXPECT_EQ(evidence[1].titled, 0.0) << "what somebody does";
  EXPECT_EQ(look("What is HTTP?", {{"A client.", "", "", "", "http"}})[0].titled, 0.0) << "letters stand for something";
}

TEST(FirstLook, PrefersTheLanguageOfTheQuestion) {
  const std::vector<LookedAt> passages = {{"Das Lager ist der Ort, an dem die Kisten stehen.", ""},
                                          {"Lager is a kind of beer that is brewed in the cold.", ""}};
  const auto german = look("Was ist ein Lager?", passages);
  EXPECT_EQ(german[0].language, 1.0);
  EXPECT_EQ(german[1].language, 0.0);
  for (const PassageEvidence& evidence : look("What is a lager?", passages)) EXPECT_EQ(evidence.language, 0.0);
}

TEST(FirstLook, SeesWordsSpellingAndPlaces) {
  const std::vector<LookedAt> passages = {{"Harbours: the old proposal.", "", "peps harbour"},
                                          {"Boats lie there.", ""}};
  const auto evidence = look("Who proposed the harbour?", passages);
  EXPECT_GT(evidence[0].coverage, 0.0);
  EXPECT_GT(evidence[0].spelling, evidence[1].spelling);
  EXPECT_EQ(evidence[0].path, 0.5);
  EXPECT_EQ(evidence[1].path, 0.0);
}

// Half of many passages is read on another thread.
TEST(FirstLook, ManyPassagesAreReadAsEachAlone) {
  constexpr std::string_view kQuestion = "Who proposed the harbour of the old town?";
  std::vector<std::string> texts;
  for (int i = 0; i < 101; ++i) {
    std::string text = "Passage " + std::to_string(i) + ": ";
    for (int j = 0; j <= i % 7; ++j) text += j % 2 == 0 ? "the old harbour was proposed. " : "a town stood there. ";
    texts.push_back(text);
  }
  std::vector<LookedAt> passages;
  std::vector<SpellingCounts> counts;
  for (const std::string& text : texts) {
    passages.push_back({text, ""});
    counts.push_back(SpellingQuery(kQuestion, 4).count(text));
  }
  const auto evidence = look(kQuestion, passages);
  const auto spelling = SpellingQuery(kQuestion, 4).scores(counts, true);
  for (size_t i = 0; i < passages.size(); ++i) {
    const PassageEvidence alone = look(kQuestion, {passages[i]})[0];
    EXPECT_EQ(evidence[i].coverage, alone.coverage) << i;
    EXPECT_EQ(evidence[i].window, alone.window) << i;
    EXPECT_EQ(evidence[i].spelling, spelling[i]) << i;
  }
}

TEST(FirstLook, WholeRunsOfAScriptCountWhereNoSpacesPartWords) {
  const std::vector<LookedAt> passages = {{"マイケルは平泉の鉄道を調べた。", ""}, {"マイルの平和、泉の鉄。", ""}};
  auto evidence = look("平泉の鉄道は誰が調べたか?", passages);
  EXPECT_EQ(evidence[0].runs, 1.0);
  EXPECT_EQ(evidence[1].runs, 0.0);
  evidence = look("Who built the railway of Hiraizumi?", passages);
  EXPECT_EQ(evidence[0].runs, 0.0) << "words are parted by spaces there";
}

TEST(FirstLook, OddInputIsHarmless) {
  for (const std::string_view question : {"", "?", "the of", "\xff\xfe", "红烧肉"}) {
    const auto evidence = look(question, {{"", ""}, {"\xff", "\xff"}, {"红烧肉要炖。", "菜"}});
    for (const PassageEvidence& e : evidence) EXPECT_GE(e.spelling + e.runs + e.coverage, 0.0);
  }
  EXPECT_TRUE(look("anything", {}).empty());
}

}  // namespace
}  // namespace mneme::rag
