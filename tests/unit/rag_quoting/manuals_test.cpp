// What manuals, pages of commands and references answer: lists of parameters, codes, defaults.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rag/quoting/quoting.h"

namespace mneme::rag {
namespace {

std::string first_quote(std::string_view question, const std::vector<QuotePassage>& passages) {
  const auto quotes = quote_sentences(question, passages);
  return quotes.empty() ? std::string() : quotes[0].text;
}

const QuotePassage kClient{
    "# Client\n\nTalks to a broker.\n\n## Client(address, timeout=10.0)\n\naddress\n: Host and port of the broker.\n\n"
    "heartbeat\n: Seconds between two signs of life. With 0 none are sent.\n\n## publish(topic, payload)\n\n"
    "Sends a message. Larger ones raise an error.\n\n## Exceptions\n\nBrokerGone\n: The broker closed the connection."
    "\n\nNotAllowed\n: The user may not publish to this topic.\n",
    "api client\nClient", "Client"};
const QuotePassage kCommand{
    "TIDEMARK(1)\n\nNAME\n       tidemark - keep folders alike\n\nOPTIONS\n       -c, --checksum\n              "
    "Compare contents "
    "instead of time and size.\n\n       -m, --max-size SIZE\n              Leave out files larger than SIZE.\n\n"
    "       -p, --port PORT\n              The port of the other machine, 8730 unless given.\n\nEXIT STATUS\n       0  "
    "    Both "
    "sides are alike.\n       1      Wrong usage.\n       6      Conflicts: both sides were changed.\n",
    "tools tidemark\ntidemark", "tidemark"};

TEST(Manuals, AParameterIsToldOfBelowItsName) {
  EXPECT_EQ(first_quote("What does the heartbeat parameter do?", {kClient}),
            "heartbeat: Seconds between two signs of life. With 0 none are sent.");
  EXPECT_EQ(first_quote("When is NotAllowed raised?", {kClient}),
            "NotAllowed: The user may not publish to this topic.");
}

TEST(Manuals, ACodeIsToldOfWhereItStands) {
  EXPECT_EQ(first_quote("What does exit status 6 mean?", {kCommand}), "6 Conflicts: both sides were changed.");
  EXPECT_EQ(first_quote("What does exit status 9 mean?", {kCommand}), "");
}

TEST(Manuals, ADefaultIsSaidToBeOne) {
  EXPECT_EQ(first_quote("What is the default port of tidemark?", {kCommand}),
            "-p, --port PORT The port of the other machine, 8730 unless given.");
  EXPECT_EQ(first_quote("What is the default of --max-size?", {kCommand}), "");
}

TEST(Manuals, ADefaultThatNothingCallsSoIsToldByItsNumber) {
  const QuotePassage api{"# Parcels API\n\n## Lists\n\nLists are returned in pages of 50. A cursor is short.\n",
                         "Parcels API", "Parcels API"};
  EXPECT_EQ(first_quote("What is the default page size of the API?", {api}), "Lists are returned in pages of 50.");
  EXPECT_EQ(first_quote("What is the default page colour of the API?", {api}), "");
}

TEST(Manuals, AllOfAKindAreListed) {
  const QuotePassage api{
      "# Parcels API\n\n## Limits\n\n| Plan | Requests | Burst |\n|---|---|---|\n| Free | 30 | 10 |\n| Team | 300 | 60 "
      "|\n| Business | 1500 | 200 |\n",
      "Parcels API", "Parcels API"};
  EXPECT_EQ(first_quote("Which plans are there?", {api}), "Plan: Free, Team, Business");
  EXPECT_EQ(first_quote("What plans does the parcels API have?", {api}), "Plan: Free, Team, Business");
  EXPECT_EQ(first_quote("Which plans have a burst of 60?", {api}), "Plan: Team; Requests: 300; Burst: 60")
      << "some of the rows answer";
  const QuotePassage dryer{
      "# Trockner WT 840\n\nMit Pumpe.\n\n## Programme\n\n- Baumwolle: 2 Stunden\n- Wolle: 38 Minuten\n\n## "
      "Pflege\n\nSieb "
      "reinigen.\n",
      "Trockner WT 840", "Trockner WT 840"};
  EXPECT_EQ(first_quote("Welche Programme hat der Trockner?", {dryer}),
            "Trockner WT 840: Programme:\n- Baumwolle: 2 Stunden\n- Wolle: 38 Minuten");
}

TEST(Manuals, WhatCountsTheThingIsTakenBeforeOtherNumbers) {
  const QuotePassage page{
      "# Fuzzing\n\nEach fuzzing target runs alone for 5 seconds in fuzzing runs.\n\nThere are 21 targets for "
      "fuzzing.\n",
      "tests\nFuzzing", "Fuzzing"};
  EXPECT_EQ(first_quote("How many fuzzing targets are there?", {page}), "There are 21 targets for fuzzing.");
}

TEST(Manuals, AnEntryIsQuotedAsAWhole) {
  const QuotePassage page{
      "OPTIONS\n       -j, --jobs N\n              Copy N files at a time.  The default is 3, the maximum 16.\n\n"
      "       -m, --max-size SIZE\n              Leave out larger files.\n",
      "tidemark", "tidemark"};
  EXPECT_EQ(first_quote("How many files are copied at a time by default?", {page}),
            "-j, --jobs N Copy N files at a time. The default is 3, the maximum 16.");
}

TEST(Manuals, ANumberIsOfTheThingThatIsAskedOf) {
  const QuotePassage page{
      "# On a GPU\n\nThe first line says nothing.\n\nThe gain of KV stays down to 50 MB/s, 1.1 MB take long.\n\nKV "
      "lies in pages "
      "of 128 tokens.",
      "cuda", "On a GPU"};
  EXPECT_EQ(first_quote("How large is a page of KV?", {page}), "KV lies in pages of 128 tokens.");
}

TEST(Manuals, AHeadingWithCommasNamesNoColumns) {
  const QuotePassage page{"| MB a second | asked | measured |\n|---|---|---|\n| decoding high | 600 | 868 |\n",
                          "kv\nCaches: promised, measured, and tested", "Caches: promised, measured, and tested"};
  EXPECT_EQ(first_quote("What was decoding high measured at?", {page}),
            "MB a second: decoding high; asked: 600; measured: 868");
}

TEST(Manuals, WhoWroteItIsToldOrNot) {
  EXPECT_EQ(first_quote("Who wrote tidemark?", {kCommand}), "");
  const QuotePassage page{"NAME\n       qpress - reduce pictures\n\nAUTHOR\n       Written by Ines Hallberg.\n",
                          "qpress", "qpress"};
  EXPECT_EQ(first_quote("Who wrote qpress?", {page}), "Written by Ines Hallberg.");
}

TEST(PrivatePapers, WhoIsNamedBesideAnotherHasNoneOfTheOthersValues) {
  const QuotePassage sheet{"Examined by: Dr. Ruth Amsel\n\nBlood pressure: 147/95 mmHg\nPulse: 78 per minute\n",
                           "Health check: Otto Vogel", "Health check: Otto Vogel"};
  EXPECT_EQ(first_quote("What is Ruth Amsel's blood pressure?", {sheet}), "");
  EXPECT_EQ(first_quote("What is Otto's blood pressure?", {sheet}), "Blood pressure: 147/95 mmHg");
}

TEST(PrivatePapers, AClauseIsAsLongAsItSays) {
  const QuotePassage nda{
      "# Agreement\n\n3. Term. This agreement ends after 30 months.\n\n4. Duties survive for five years "
      "after its end.\n",
      "halden-nda\nAgreement",
      "Agreement",
      TextForm::kProse,
      false,
      "halden-nda"};
  EXPECT_EQ(first_quote("How long does the Halden NDA run?", {nda}), "3. Term. This agreement ends after 30 months.");
}

TEST(Manuals, AnOptionIsToldOfByItsOwnLine) {
  const QuotePassage ls{
      "LS(1)\n\nNAME\n       ls - list directory contents\n\nSYNOPSIS\n       ls [-a] [-l] [FILE]...\n\nDESCRIPTION\n"
      "       List information about the FILEs.\n\n       -a, --all\n              do not ignore entries starting with "
      ".\n\n       -l     use a long listing format\n",
      "ls", "ls"};
  EXPECT_EQ(first_quote("What does -a do in ls?", {ls}), "-a, --all do not ignore entries starting with .");
  EXPECT_EQ(first_quote("What does -l do in ls?", {ls}), "-l use a long listing format");
}

TEST(Manuals, ASignThatIsShownCountsBeforeAPagesName) {
  const QuotePassage page{"# rc\n\nA simple port listener.", "pages rc\nrc"};
  const QuotePassage book{"# Smart pointers\n\n`Rc<T>` is a pointer that counts its owners.", "book\nSmart pointers"};
  EXPECT_NE(first_quote("What is Rc<T>?", {page, book}).find("counts its owners"), std::string::npos);
}

TEST(Manuals, WhatIsDoneInSomethingIsToldWhereItIsNamed) {
  const QuotePassage prompt{
      "# starship\n\n- Print the code for a shell: `starship init {{bash|fish}}`\n\n- Create a bug report on GitHub: "
      "`starship bug-report`\n",
      "pages starship\nstarship"};
  EXPECT_EQ(first_quote("How do I report a bug in bash?", {prompt}), "");
  EXPECT_NE(first_quote("How do I report a bug in starship?", {prompt}), "");
}

}  // namespace
}  // namespace mneme::rag
