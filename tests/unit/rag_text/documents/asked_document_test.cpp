#include "rag/text/documents/asked_document.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace mneme::rag {
namespace {

bool is_asked(std::string_view question) {
  return AskedDocument(question).is_asked();
}

TEST(AskedDocumentTest, DocumentsPartsAndWhatPagesAreAbout) {
  EXPECT_TRUE(is_asked("Which PEP introduced the walrus operator?"));
  EXPECT_TRUE(is_asked("which pep introduced the walrus operator"));
  EXPECT_TRUE(is_asked("In which RFCs is it defined?")) << "series are written in capitals";
  EXPECT_TRUE(is_asked("What document describes the release?"));
  EXPECT_TRUE(is_asked("Which of the recipes needs saffron?"));
  EXPECT_TRUE(is_asked("Which country has Thimphu as its capital?"));
  EXPECT_TRUE(is_asked("In welchem Kapitel werden Lebensdauern erklärt?"));
  EXPECT_TRUE(is_asked("哪道菜需要鳊鱼？"));
  EXPECT_TRUE(is_asked("どの文書に書いてありますか？"));
  EXPECT_TRUE(AskedDocument("Which Sherlock Holmes story mentions a goose?").is_part());
  EXPECT_FALSE(AskedDocument("Which PEP introduced the walrus operator?").is_part());
}

TEST(AskedDocumentTest, OtherQuestionsAskForNone) {
  EXPECT_FALSE(is_asked("Which colour has the pump?"));
  EXPECT_FALSE(is_asked("What is the name of the book?"));
  EXPECT_FALSE(is_asked("Who wrote the chapter on pumps?"));
  EXPECT_FALSE(is_asked("What does the report say?")) << "which one is known";
  EXPECT_FALSE(is_asked("什么是容器？"));
  EXPECT_FALSE(is_asked(""));
}

TEST(AskedDocumentTest, WordsThatOnlyAskAreNoMatter) {
  const AskedDocument asked("Which PEP introduced the walrus operator?");
  EXPECT_TRUE(asked.only_asks("pep"));
  EXPECT_TRUE(asked.only_asks("introduced"));
  EXPECT_FALSE(asked.only_asks("walrus"));
  EXPECT_TRUE(AskedDocument("哪道菜需要鳊鱼？").only_asks("道菜"));
  EXPECT_FALSE(AskedDocument("哪道菜需要鳊鱼？").only_asks("鳊鱼"));
  EXPECT_FALSE(AskedDocument("Who introduced it?").only_asks("introduced"));
}

TEST(AskedDocumentTest, SentencesNameDocumentsOrTheirOwn) {
  const AskedDocument asked("Which PEP introduced the walrus operator?");
  EXPECT_TRUE(asked.is_named_in("It came with PEP 572."));
  EXPECT_TRUE(asked.is_named_in("It came with :pep:`572`."));
  EXPECT_FALSE(asked.is_named_in("A PEP describes it."));
  EXPECT_EQ(asked.speaks_of_itself("This PEP proposes it."), 1.0);
  EXPECT_GT(asked.speaks_of_itself("During discussion of this PEP it got its name."), 0.0);
  EXPECT_LT(asked.speaks_of_itself("During discussion of this PEP it got its name."), 1.0);
  EXPECT_EQ(asked.speaks_of_itself("Another PEP proposes it."), 0.0);
  EXPECT_EQ(AskedDocument("Which country has it?").speaks_of_itself("This country has it."), 0.0);
}

TEST(AskedDocumentTest, OddQuestionsAreHarmless) {
  constexpr std::string_view kPieces[] = {"which ", "PEP", "哪", "どの", "本", " of ", "7", "\xff", "?", "this "};
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string question;
    for (uint64_t n = random.below(9); n > 0; --n) question += kPieces[random.below(std::size(kPieces))];
    const AskedDocument asked(question);
    (void)asked.only_asks("pep");
    (void)asked.is_named_in(question);
    EXPECT_LE(asked.speaks_of_itself(question), 1.0);
  }
}

}  // namespace
}  // namespace mneme::rag
