#include "rag/answering/brief/bracketed_names.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

constexpr std::string_view kPresent =
    "Present: Greta Osk (chair), Tomas Lind (harbour master), Yara\nBenedek (treasurer) and Dr Runa Feldt (guest).";

TEST(BracketedNamesTest, TheNameStandsBeforeItsBracket) {
  EXPECT_EQ(named_before_brackets("Who is the harbour master?", kPresent), "Tomas Lind");
  EXPECT_EQ(named_before_brackets("who was chair", kPresent), "Greta Osk");
  EXPECT_EQ(named_before_brackets("Who came as a guest?", kPresent), "Dr Runa Feldt");
}

TEST(BracketedNamesTest, ContractsNameTheirSides) {
  constexpr std::string_view kLease = "Between Hannah Brook (the Landlord) and Peter Lane (the Tenant).";
  EXPECT_EQ(named_before_brackets("who is my landlord?", kLease), "Hannah Brook");
  EXPECT_EQ(named_before_brackets("Who is the tenant?", kLease), "Peter Lane");
  EXPECT_EQ(named_before_brackets("Who is the landlord?",
                                  "between Hannah Brook (hereinafter referred to as \"the Landlord\") and others"),
            "Hannah Brook");
  EXPECT_EQ(named_before_brackets("Wer ist mein Vermieter?",
                                  "zwischen Jens Wolf (nachfolgend \u201eVermieter\u201c) und Ute Kern (Mieterin)"),
            "Jens Wolf");
  EXPECT_EQ(named_before_brackets("Who is the landlord?", "Peter Lane (not the landlord)"), "");
}

TEST(BracketedNamesTest, WhatIsNotAskedForNamesNobody) {
  EXPECT_EQ(named_before_brackets("Who is the master?", kPresent), "") << "the bracket says more than that";
  EXPECT_EQ(named_before_brackets("Who opened the meeting?", kPresent), "");
  EXPECT_EQ(named_before_brackets("Where is the chair?", kPresent), "");
  EXPECT_EQ(named_before_brackets("", kPresent), "");
  EXPECT_EQ(named_before_brackets("Who is the chair?", ""), "");
  EXPECT_EQ(named_before_brackets("Who is it?", "Tomas Lind (it), others ()."), "") << "words that mean nothing";
}

TEST(BracketedNamesTest, SeveralOrLongOnesNameNobody) {
  EXPECT_EQ(named_before_brackets("Who is a guest?", "Anna Berg (guest), Olaf Dahl (guest)"), "");
  EXPECT_EQ(named_before_brackets("Who is a guest?", "Anna Berg (guest) spoke; Anna Berg (guest), too"), "Anna Berg");
  EXPECT_EQ(named_before_brackets("Who is the chair?", "She has been this for seven years (chair)"), "");
}

TEST(BracketedNamesTest, WhatTheQuestionNamesIsNoAnswer) {
  EXPECT_EQ(
      named_before_brackets("Who made the programming language Python?", "Python (programming language) by Guido"), "");
}

TEST(BracketedNamesTest, WhatIsNoNameNamesNobody) {
  EXPECT_EQ(named_before_brackets("Who sang if I am wrong?", "\"(I am wrong)\" is a song by Homer Banks."), "");
  EXPECT_EQ(named_before_brackets("Who plays his daughter?", "Casey is Billy Beane's (daughter)"), "");
  EXPECT_EQ(named_before_brackets("Who is the chair?", "-- (chair)"), "");
}

TEST(BracketedNamesTest, BracketsThatDoNotCloseEndTheSearch) {
  EXPECT_EQ(named_before_brackets("Who is the chair?", "Greta Osk (chair"), "");
  EXPECT_EQ(named_before_brackets("Who is the chair?", "((Greta Osk (chair) )"), "Greta Osk");
  EXPECT_EQ(named_before_brackets("Who is the chair?", "(chair) came first"), "") << "nothing stands before it";
}

}  // namespace
}  // namespace mneme::rag
