// The steps of quoting, each by itself: what a question asks, what the passages are to it, what cannot answer.
#include <gtest/gtest.h>

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/list_candidate.h"
#include "rag/quoting/outline/sentence_shapes.h"
#include "rag/quoting/part_candidate.h"
#include "rag/quoting/quote_filters.h"
#include "rag/quoting/quote_names.h"
#include "rag/quoting/quote_question.h"

namespace mneme::rag {
namespace {

QuoteQuestion asking(std::string_view question, std::string_view leaned_on = {}) {
  return {question, question, leaned_on};
}

QuoteCandidate saying(std::string text) {
  QuoteCandidate candidate;
  candidate.quote.text = std::move(text);
  return candidate;
}

TEST(QuoteQuestion, SaysWhatIsAsked) {
  const QuoteQuestion price = asking("How much does the flat cost a month?");
  EXPECT_TRUE(price.price);
  EXPECT_TRUE(price.is_measured());
  EXPECT_TRUE(price.only_asks("cost")) << "a rent need not say what it costs";
  EXPECT_FALSE(price.only_asks("flat"));
  const QuoteQuestion manner = asking("How do I make a file executable?");
  EXPECT_TRUE(manner.is_only_action({"make"}));
  EXPECT_FALSE(manner.is_only_action({"make", "fil"}));
  EXPECT_FALSE(manner.is_measured());
  EXPECT_TRUE(asking("What is the GIL?").matter.contains("gil"));
  EXPECT_TRUE(asking("Whom do I pay? (the rent)", "the rent").topic_stems.contains("rent"));
}

TEST(QuoteQuestion, NumbersOfTheQuestionAreNoNews) {
  const QuoteQuestion question = asking("How much power was used in 2025?");
  EXPECT_FALSE(question.is_told_new_number("Annual statement 2025"));
  EXPECT_TRUE(question.is_told_new_number("Consumption in 2025: 2,120 kWh"));
  EXPECT_FALSE(question.is_told_new_number("nothing"));
}

TEST(AskedPassages, KnowsDocumentsCalledByNameAndTitle) {
  const std::vector<PassageOutline> outlines = {
      PassageOutline("Limit lines to 79 characters.", "peps > pep-0008\nPEP 8", "PEP 8: Style Guide"),
      PassageOutline("Beautiful is better than ugly.", "peps > pep-0020\nPEP 20", "PEP 20: The Zen")};
  const QuoteQuestion question = asking("Who wrote PEP 20?");
  const AskedPassages asked(question, outlines);
  EXPECT_TRUE(asked.any_own());
  EXPECT_FALSE(asked.is_own(0));
  EXPECT_TRUE(asked.is_own(1));
  EXPECT_FALSE(asked.calls_title(0));
  EXPECT_TRUE(asked.calls_title(1));
}

TEST(AskedPassages, SeesWhichTellOfTheTopic) {
  const std::vector<PassageOutline> outlines = {PassageOutline("The rent of the flat is 940 pounds.", "lease"),
                                                PassageOutline("The deposit is 250 pounds.", "van hire")};
  const QuoteQuestion question = asking("When is it due? (the rent of the flat)", "the rent of the flat");
  const AskedPassages asked(question, outlines);
  EXPECT_DOUBLE_EQ(asked.on_topic(0), 1.0);
  EXPECT_TRUE(asked.is_on_topic(0));
  EXPECT_FALSE(asked.is_on_topic(1));
}

TEST(PartCandidate, HoldsWhatItSaysAndWhatStandsAround) {
  const std::vector<PassageOutline> outlines = {
      PassageOutline("The pier was repaired. The work took nine weeks in all.", "Arnmouth harbour")};
  const QuoteQuestion question = asking("How long did the work in Arnmouth take?");
  const AskedPassages asked(question, outlines);
  const QuoteCandidate second = part_candidate(asked, 0, 1);
  EXPECT_EQ(second.quote.text, "The work took nine weeks in all.");
  EXPECT_GT(second.evidence.held, 0.0);
  EXPECT_GT(second.evidence.cue, part_candidate(asked, 0, 0).evidence.cue) << "nine weeks";
}

TEST(PartCandidate, ThisStandsForTheSentenceBefore) {
  const std::vector<PassageOutline> outlines = {PassageOutline(
      "# Kettle\n\n## Descaling\n\nDescale the kettle when a white layer shows on its floor. With hard water this is "
      "about every six weeks.\n\n1. Fill in water.\n2. Rinse the kettle three times.\n",
      "kettle\nKettle", "Kettle")};
  const QuoteQuestion question = asking("How often do I descale the kettle?");
  const AskedPassages asked(question, outlines);
  const QuoteCandidate told = part_candidate(asked, 0, 3);
  EXPECT_EQ(told.quote.text, "With hard water this is about every six weeks.");
  EXPECT_EQ(question.kind, QuestionKind::kFrequency);
  EXPECT_DOUBLE_EQ(told.evidence.before, 1.0);
  EXPECT_TRUE(told.evidence.is_told_before);
  EXPECT_DOUBLE_EQ(told.evidence.held, 1.0) << "as the sentence before";
  EXPECT_TRUE(worth_quoting(told.evidence));
  for (const size_t other : {2U, 5U}) {
    EXPECT_GT(sentence_score(told.evidence, true), sentence_score(part_candidate(asked, 0, other).evidence, true));
  }
}

TEST(ListCandidate, IsOfTheKindThatIsAskedFor) {
  const std::vector<PassageOutline> outlines = {
      PassageOutline("## Descaling\n\n1. Fill in water.\n2. Start it.\n\n## Parts\n\n- a lid\n- a base\n", "Kettle")};
  const QuoteQuestion question = asking("How do I start descaling?");
  const AskedPassages asked(question, outlines);
  ASSERT_EQ(asked.outline(0).lists().size(), 2U);
  EXPECT_GT(list_candidate(asked, 0, asked.outline(0).lists()[0]).evidence.whole, 0.0);
  EXPECT_DOUBLE_EQ(list_candidate(asked, 0, asked.outline(0).lists()[1]).evidence.whole, 0.0);
}

TEST(QuoteFilters, KeepWhatHoldsWhatIsAskedFor) {
  const QuoteQuestion contact = asking("What is the plumber's phone number?");
  QuoteCandidates candidates = {saying("The plumber comes on Mondays."), saying("Ring the plumber on 0345 600 0199.")};
  keep_with_contact(contact, candidates);
  ASSERT_EQ(candidates.size(), 1U);
  EXPECT_EQ(candidates.front().quote.text, "Ring the plumber on 0345 600 0199.");
  QuoteCandidates none = {saying("The plumber comes on Mondays.")};
  keep_with_contact(contact, none);
  EXPECT_TRUE(none.empty()) << "says no number at all";
  QuoteCandidates shorter = {saying("The plumber comes on Mondays."), saying("In an emergency dial 112.")};
  keep_with_contact(contact, shorter);
  ASSERT_EQ(shorter.size(), 1U);
  EXPECT_EQ(shorter.front().quote.text, "In an emergency dial 112.");
}

TEST(QuoteFilters, QuestionsGiveWayToStatements) {
  QuoteCandidates candidates = {saying("Why is it so?"), saying("It rains.")};
  candidates[0].evidence.is_question = true;
  keep_statements(candidates);
  ASSERT_EQ(candidates.size(), 1U);
  candidates[0].evidence.is_question = true;
  keep_statements(candidates);
  EXPECT_EQ(candidates.size(), 1U) << "it is all there is";
}

TEST(SentenceShapes, QuestionsThatAreQuotedSayNothing) {
  EXPECT_EQ(without_quoted_questions("It counts (\"How many letters do I have?\") and sums."),
            "It counts ( ) and sums.");
  EXPECT_EQ(without_quoted_questions("Er fragte: \u201eWann?\u201c und ging."), "Er fragte:   und ging.");
  EXPECT_EQ(without_quoted_questions("He said \"No.\" twice."), "He said \"No.\" twice.");
}

TEST(SentenceShapes, WordsThatStandForTheSentenceBefore) {
  for (const char* sentence :
       {"With hard water this is about every six weeks.", "It takes an hour.", "In summer this is needed weekly.",
        "Bei hartem Wasser ist das etwa alle acht Wochen nötig.", "Cela dure dix jours.",
        "Con uso normal esto ocurre cada dos meses.", "二階ではこれは五週間に一度です。"}) {
    EXPECT_TRUE(points_back(sentence)) << sentence;
  }
  for (const char* sentence : {"The kettle holds 1.7 litres.", "Das rote Haus steht seit 1904.", "This kettle is loud.",
                               "El filtro dura dos meses.", "Il filtro costa 12 euro.", ""}) {
    EXPECT_FALSE(points_back(sentence)) << sentence;
  }
}

TEST(QuoteNames, TheDocumentsNameStandsBeforeWhatIsQuotedFromIt) {
  const std::vector<PassageOutline> outlines = {
      PassageOutline("Assignment expressions are introduced.", "pep-0572", "PEP 572: Assignment Expressions")};
  const QuoteQuestion question = asking("Which PEP introduced assignment expressions?");
  const AskedPassages asked(question, outlines);
  QuoteCandidate candidate = part_candidate(asked, 0, 0);
  name_document(asked, candidate.quote);
  EXPECT_TRUE(candidate.quote.text.starts_with("PEP 572: Assignment Expressions: ")) << candidate.quote.text;
}

}  // namespace
}  // namespace mneme::rag
