#include "rag/quoting/quoting.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "rag/answering/writing/query_rewriter.h"
#include "rag/quoting/outline/passage_outline.h"
#include "rag/quoting/outline/plain_sentence.h"
#include "rag/quoting/outline/row_text.h"
#include "rag/quoting/outline/sentences.h"
#include "rag/quoting/quote_candidates.h"

namespace mneme::rag {
namespace {

TEST(Sentences, KnowListsHeadingsAndWideStops) {
  const std::string text = "# Title\n\nFirst one. Second\none here.\n\n- item a\n- item b\n\n一つ目。二つ目。";
  std::vector<std::string> parts;
  for (const Sentence& s : split_sentences(text)) parts.push_back(text.substr(s.byte_begin, s.byte_end - s.byte_begin));
  EXPECT_EQ(parts, (std::vector<std::string>{"# Title", "First one.", "Second\none here.", "- item a", "- item b",
                                             "一つ目。", "二つ目。"}));
}

TEST(Sentences, ItemNumbersBelongToTheirItemsAndTagsToNobody) {
  const std::string text =
      "1. Fill the kettle. 2. Boil it.\n2. Pour it away.\n\n<Listing number=\"1-1\">\n\nIt is 1.5 l. Done.";
  std::vector<std::string> parts;
  for (const Sentence& s : split_sentences(text)) parts.push_back(text.substr(s.byte_begin, s.byte_end - s.byte_begin));
  EXPECT_EQ(parts.front(), "1. Fill the kettle.");
  for (const std::string& part : parts) {
    EXPECT_NE(part, "2.");
    EXPECT_FALSE(part.starts_with("<"));
  }
}

TEST(Sentences, QuotedLinesAreOneParagraph) {
  const std::string text =
      "> ### Unwinding\n>\n> By default, the program starts _unwinding_, which means\n> it walks back. Then it "
      "ends.\n>\n> - an item\n"
      ">>> call()\n>\n> ```\n> code\n";
  std::vector<std::string> parts;
  for (const Sentence& s : split_sentences(text)) {
    parts.push_back(plain_sentence(text.substr(s.byte_begin, s.byte_end - s.byte_begin)));
  }
  ASSERT_GE(parts.size(), 4u);
  EXPECT_EQ(parts[0], "Unwinding");
  EXPECT_EQ(parts[1], "By default, the program starts unwinding, which means it walks back.");
  EXPECT_EQ(parts[2], "Then it ends.");
  EXPECT_EQ(parts[3], "an item");
  for (const std::string& part : parts) EXPECT_FALSE(part.empty());
  EXPECT_EQ(plain_sentence("See\n>>> call()"), "See >>> call()") << "an interpreter's sign is no quotation mark";
}

TEST(Sentences, PlainTextOfASentence) {
  EXPECT_EQ(plain_sentence("- **Bold** `code`\n  and 2 * 3"), "Bold code and 2 * 3");
  for (const char* exact : {"Nutzer\\*innen und Käufer\\*innen", "Nutzer*innen und Käufer*innen", "a*b is b*a",
                            "für*über", "C:\\_x\\_ and \\[a\\](b)", "\\`no code\\`"}) {
    EXPECT_EQ(plain_sentence(exact), exact);
  }
  EXPECT_EQ(plain_sentence("这是**重点**内容, **so** *it* is (**bold**)"), "这是重点内容, so it is (bold)");
  EXPECT_EQ(plain_sentence("See [the guide](a.md) or [3]!"), "See the guide or [3]!");
  EXPECT_EQ(plain_sentence("![a picture](a.png)"), "");
  EXPECT_EQ(plain_sentence("Feed the [[Starter|starter]] of [[Anna Kurz]] with ==100 g rye== flour ^feed"),
            "Feed the starter of Anna Kurz with 100 g rye flour");
  EXPECT_EQ(plain_sentence("See ![[crumb.jpg|300]] and [[Bread#Crust]]"), "See and Bread");
  for (const char* exact : {"[[1, 2], [3]]", "if [[ -f x ]]", "a == b and c==d", "x ^ y", "[[]]", "[[a"})
    EXPECT_EQ(plain_sentence(exact), exact);
  EXPECT_EQ(plain_sentence("[open ![x"), "[open ![x");
  EXPECT_EQ(plain_sentence("It has a _borrow checker_, _really_."), "It has a borrow checker, really.");
  EXPECT_EQ(plain_sentence("Call _private, __init__ and snake_case_name."),
            "Call _private, __init__ and snake_case_name.");
  EXPECT_EQ(plain_sentence("Open _hello_cargo_, then _private_name or _other words_."),
            "Open hello_cargo, then _private_name or other words.");
}

TEST(Sentences, MarkupThatSentencesCutApartIsNotQuoted) {
  EXPECT_EQ(plain_sentence("Costs rise with each ticket.](costs.jpg)"), "Costs rise with each ticket.");
  EXPECT_EQ(plain_sentence("![A curve falls."), "A curve falls.");
  EXPECT_EQ(plain_sentence("Few firms sell it.\")"), "Few firms sell it.");
  EXPECT_EQ(plain_sentence("<div class=\"a\"> Prices <em>rise</em>.</div>"), "Prices rise.");
  EXPECT_EQ(plain_sentence("A Vec<T> of <name>."), "A Vec<T> of <name>.");
  EXPECT_EQ(plain_sentence("It is (a \"b\")"), "It is (a \"b\")");
}

TEST(Quoting, PicksTheSentenceThatAnswers) {
  const std::vector<QuotePassage> passages = {
      {"# Harbour\n\nThe harbour has three piers. Ferries to Kelby leave every two hours from the north pier. "
       "Dogs are allowed on deck.",
       ""},
      {"Kelby is a quiet village.", ""}};
  const auto quotes = quote_sentences("How often do ferries to Kelby leave?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Ferries to Kelby leave every two hours from the north pier.");
  EXPECT_EQ(quotes[0].passage, 0);
  EXPECT_EQ(quoted_answer({quotes.data(), 1}), "Ferries to Kelby leave every two hours from the north pier. [1]");
}

TEST(Quoting, SingleCharactersCountWhereNoSpacesPartWords) {
  const std::string text = "进馆须带学生证件。入馆后有饮水机。馆内请保持安静。";
  const PassageOutline outline(text, "");
  const std::vector<QuoteCandidate> candidates =
      quote_candidates("入馆携带什么证件", "入馆携带什么证件", {&outline, 1}, nullptr);
  const auto spelled = [&](std::string_view sentence) {
    for (const QuoteCandidate& candidate : candidates) {
      if (candidate.quote.text == sentence) return candidate.evidence.spelling;
    }
    return -1.0;
  };
  EXPECT_GT(spelled("进馆须带学生证件。"), spelled("入馆后有饮水机。")) << "what is carried is said in one character";
}

TEST(Quoting, ItemsAreReadUnderTheirHeading) {
  const std::vector<QuotePassage> passages = {
      {"## People\n\nThe population of Arnmouth is spread along the coast.\n\n### Population\n\n- total: 1,204 (2019)\n"
       "- male: 600\n\n## Harbour\n\n- piers: 3\n",
       "Arnmouth"}};
  const auto quotes = quote_sentences("What is the population of Arnmouth?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Population: total: 1,204 (2019)");
}

TEST(Quoting, NumbersOfItemsAreNoColumns) {
  const std::vector<QuotePassage> passages = {
      {"### Population\n\n- **total**: 27,857,519\n- **male**: 13,900,120\n- **female**: 13,957,399\n", "Arnland",
       "Arnland"}};
  const auto quotes = quote_sentences("What is the population of Arnland?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Population: total: 27,857,519");
}

// What stands under the asked name, in the document about what it is asked of, comes before sentences that hold more of
// the question's words.
TEST(Quoting, WhatIsAskedOfATitleStandsUnderItsLabel) {
  const std::vector<QuotePassage> passages = {
      {"### Capital\n\n- **name**: Gerholm\n- **etymology**: named when Arnland bought the island; the capital of "
       "Arnland "
       "sold it back\n",
       "Isle of Ger", "Isle of Ger"},
      {"- **Independence**: 7 June 1905 (from Ger)\n- **National holiday**: 17 May, of the independent Arnland\n\n"
       "### Capital\n\n- **geographic coordinates**: 58 12 N, of Arnland's capital\n- **name**: Velm\n",
       "Arnland", "Arnland"}};
  const auto first = [&](std::string_view question) {
    const auto quotes = quote_sentences(question, passages);
    return quotes.empty() ? std::string() : quotes[0].text;
  };
  EXPECT_EQ(first("What is the capital of Arnland?"), "Capital: name: Velm");
  EXPECT_EQ(first("what is the capital of the isle of ger"), "Capital: name: Gerholm");
  EXPECT_EQ(first("When did Arnland become independent?"), "Independence: 7 June 1905 (from Ger)");
}

TEST(Quoting, WhatLeadsWithoutNamingTheThingGivesWayToWhatNamesIt) {
  const std::vector<QuotePassage> passages = {
      {"## Spillages\n\nPrivate markets offer an efficient way to put buyers and sellers together. Some people have no "
       "voice in them. The effect on a third party who is outside the exchange is called a **spillage**.\n",
       "Pollution", "Pollution"}};
  const auto quotes = quote_sentences("What are spillages?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_TRUE(quotes[0].text.starts_with("The effect on a third party")) << quotes[0].text;
}

TEST(Quoting, WhatIsWrittenInTheSameLettersComesFirst) {
  const std::vector<QuotePassage> passages = {
      {"> Micro — это консольный текстовый редактор.\n", "tools", "tools"},
      {"Among others micro is a small editor of texts for terminals.\n", "Editors", "Editors"}};
  const auto quotes = quote_sentences("What is micro?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_TRUE(quotes[0].text.starts_with("Among others")) << quotes[0].text;
  const std::vector<QuotePassage> alone(passages.begin(), passages.begin() + 1);
  EXPECT_FALSE(quote_sentences("What is micro?", alone).empty()) << "nothing else is there";
}

TEST(Quoting, ATitleInQuotationMarksIsNoAnswer) {
  const std::vector<QuotePassage> passages = {
      {"---\ntitle: \"Lentil Curry\"\n---\n\nA lentil dish without milk or meat.\n", "Lentil Curry", "Lentil Curry"}};
  const auto quotes = quote_sentences("Is the lentil curry vegan?", passages);
  for (const QuotedSentence& quote : quotes) EXPECT_EQ(quote.text.find("title:"), std::string::npos) << quote.text;
}

TEST(Quoting, HowSomethingIsMadeIsToldInOtherVerbs) {
  const std::vector<QuotePassage> passages = {
      {"## Ingredients\n\n- flour\n- milk\n\n## Directions\n\n1. Combine flour and milk.\n2. Add an egg and mix "
       "well.\n3. Make smaller or bigger pancakes.\n\nEat the pancakes at once.\n",
       "Banana Pancakes", "Banana Pancakes"},
      {"## Directions\n\n1. Beat the eggs.\n2. Fry the pancakes.\n", "Swedish Pancakes", "Swedish Pancakes"},
      {"## Directions\n\n1. Mix.\n2. Fry pancakes.\n", "Oat Pancakes", "Oat Pancakes"}};
  const auto quotes = quote_sentences("How do I make pancakes?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_TRUE(quotes[0].text.starts_with("Directions:\n1. ")) << quotes[0].text;
}

TEST(Quoting, WhoSomebodyIsIsToldWhereTheyAreIntroduced) {
  const std::vector<QuotePassage> passages = {
      {"But Starbuck is already known. Stubb looked at Starbuck, Flask and Daggoo. The chief mate was Starbuck, a "
       "native of "
       "Nantucket and a Quaker by descent. Then Starbuck went below.",
       "The Whale", "The Whale"}};
  const auto quotes = quote_sentences("Who is Starbuck?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("a native of Nantucket"), std::string::npos) << quotes[0].text;
}

TEST(Quoting, StepsOfARecipeThatOnlyItsTitleNames) {
  const QuotePassage recipe{
      "## Ingredients\n\n- avocados\n- lime\n\n## Directions\n\n1. Mash the avocados.\n2. Add lime.\n", "Guacamole",
      "Guacamole"};
  const QuotePassage program{"Build what a file of rules describes.\n\n- Run the first rule:\n\n`make`\n", "make",
                             "make"};
  for (const std::vector<QuotePassage>& passages : {std::vector{recipe}, std::vector{program, recipe}}) {
    const auto quotes = quote_sentences("How do I make guacamole?", passages);
    ASSERT_FALSE(quotes.empty());
    EXPECT_EQ(quotes[0].text, "Directions:\n1. Mash the avocados.\n2. Add lime.");
  }
}

TEST(Quoting, WhatStandsUnderALabelMayHoldTheRestOfTheQuestion) {
  const std::vector<QuotePassage> passages = {
      {"### Age structure\n\n- **65 years and over**: 19.1%\n\n- **Suffrage**: 18 years of age; universal\n", "Arnland",
       "Arnland"}};
  const auto quotes = quote_sentences("At what age can people vote in Arnland?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("Suffrage: 18 years of age; universal"), std::string::npos) << quotes[0].text;
}

TEST(Quoting, WhichDocumentIsAnsweredByItsName) {
  const std::vector<QuotePassage> passages = {
      {"## Guards\n\nA pattern may be preceded by the walrus operator.", "meps mep-0622\nMEP 622: Patterns\nGuards",
       "MEP 622: Patterns"},
      {"During discussion of this MEP, the operator became known as the walrus operator.",
       "meps mep-0572\nMEP 572: Assignment\n", "MEP 572: Assignment"}};
  const auto quotes = quote_sentences("Which MEP introduced the walrus operator?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text,
            "MEP 572: Assignment: During discussion of this MEP, the operator became known as the walrus operator.");
  const std::vector<QuotePassage> other = {
      {"The walrus operator came with MEP 572.", "meps mep-0798\nMEP 798: Unpacking\n", "MEP 798: Unpacking"}};
  EXPECT_EQ(quote_sentences("Which MEP introduced the walrus operator?", other).at(0).text,
            "The walrus operator came with MEP 572.")
      << "the sentence names it, and not its own";
}

TEST(Quoting, WhichStoryIsAnsweredByItsHeading) {
  const std::vector<QuotePassage> passages = {{"The goose was in the kitchen.",
                                               "books adventures\nThe Adventures\nThe Adventures > The Blue Stone",
                                               "The Adventures"}};
  EXPECT_EQ(quote_sentences("Which story mentions a goose?", passages).at(0).text,
            "The Adventures > The Blue Stone: The goose was in the kitchen.");
  EXPECT_EQ(quote_sentences("Which book mentions a goose?", passages).at(0).text,
            "The Adventures: The goose was in the kitchen.");
  EXPECT_EQ(quote_sentences("Where is the goose?", passages).at(0).text, "The goose was in the kitchen.");
}

TEST(Quoting, AHeadingMayAnswer) {
  const std::vector<QuotePassage> passages = {
      {"# Title: The Tide\n\n## Author: Tilda Voss\n\n## Year: 1851\n\nHe wrote it down while the tide was out.",
       "books tide\nThe Tide\n", "The Tide"}};
  const auto first = [&](std::string_view question) {
    const auto quotes = quote_sentences(question, passages);
    return quotes.empty() ? std::string() : quotes[0].text;
  };
  EXPECT_EQ(first("Who wrote The Tide?"), "Author: Tilda Voss");
  EXPECT_EQ(first("When was The Tide written?"), "Year: 1851");
}

TEST(Quoting, AListIsQuotedWholeUnderATitleThatIsAskedAbout) {
  const std::vector<QuotePassage> passages = {
      {"## Ingredients\n\n- Flour 3 cups\n- Sugar 2 tbsp\n\n## Directions\n\n1. Mix.\n2. Bake.\n",
       "recipes tide-bread\nTide Bread", "Tide Bread"}};
  const auto quotes = quote_sentences("What are the ingredients of tide bread?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Ingredients:\n- Flour 3 cups\n- Sugar 2 tbsp");
}

TEST(Quoting, WhatIsAskedForAsANumberIsAnsweredByOne) {
  const std::vector<QuotePassage> passages = {
      {"Some teams strongly prefer a longer line length. Limit all lines to 79 characters.", "style"}};
  const auto quotes = quote_sentences("What line length should lines have?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Limit all lines to 79 characters.");
}

// What is asked of the matter is told of nowhere, and what could be quoted does not hold the kind of thing asked for.
TEST(Quoting, WhatIsToldOfNowhereIsNotAnsweredByAName) {
  const QuotePassage choir{"The conductor is Judith Hale.\n\nSubscriptions are 55 pounds a term.", "Choir"};
  EXPECT_TRUE(quote_sentences("How much does the conductor earn?", {&choir, 1}).empty());
  EXPECT_FALSE(quote_sentences("Who is the conductor?", {&choir, 1}).empty());
  EXPECT_FALSE(quote_sentences("How much are subscriptions?", {&choir, 1}).empty());
}

TEST(Quoting, AnAgeIsNoDayAndNoWeight) {
  const QuotePassage letter{"The harbour festival is on 12 July. Milo weighs 31.4 kg now.", ""};
  EXPECT_TRUE(quote_sentences("How old is Milo?", {&letter, 1}).empty());
  EXPECT_TRUE(quote_sentences("How old is the harbour?", {&letter, 1}).empty());
  const QuotePassage patient{"Patient: Daniel Okafor, born 11 May 1984. Daniel came at 9.", ""};
  const auto quoted = quote_sentences("How old is Daniel?", {&patient, 1});
  ASSERT_FALSE(quoted.empty());
  EXPECT_NE(quoted.front().text.find("born 11 May 1984"), std::string::npos);
}

TEST(Quoting, ATitleLineSaysNothingThatTheTitleDoesNot) {
  const std::vector<QuotePassage> passages = {
      {"title: The Tide\n\nThe tide is the rise of the sea.", "glossary tide\nThe Tide", "The Tide"}};
  for (const QuotedSentence& quote : quote_sentences("What is the tide?", passages)) {
    EXPECT_EQ(quote.text.find("title:"), std::string::npos);
  }
}

TEST(Quoting, QuestionsWithinTheTextAreNoAnswers) {
  const std::vector<QuotePassage> passages = {
      {"Why does a low price cause a shortage? Because fewer want to sell at it. Prices are made by markets.", ""}};
  const auto quotes = quote_sentences("Why does a low price cause a shortage?", passages);
  for (const QuotedSentence& quote : quotes) EXPECT_FALSE(quote.text.ends_with('?')) << quote.text;
  const std::vector<QuotePassage> spoken = {
      {"\"Is this the captain of the Osprey?\" said I. The captain of the Osprey is Harro Lind.", ""}};
  EXPECT_EQ(quote_sentences("Who is the captain of the Osprey?", spoken).at(0).text,
            "The captain of the Osprey is Harro Lind.");
}

TEST(Quoting, WhereToReadOnIsNotWhatToDo) {
  const std::string text =
      "Pull the picture of Anvil and run it.\n\n## Next steps\n\n- [Configuration](/docs/x): Learn how Anvil's file "
      "works.\n- [Install Anvil](/docs/y): Installation beyond Docker.\n- [Parts](/docs/z): Extend Anvil.\n";
  const std::vector<QuotePassage> passages = {{text, "Anvil with Docker"}};
  const auto quotes = quote_sentences("How do I install Anvil with Docker?", passages);
  for (const auto& quote : quotes) EXPECT_EQ(quote.text.find("Next steps"), std::string::npos) << quote.text;
}

TEST(Quoting, CodeThatShowsHowIsQuotedWithWhatAnnouncesIt) {
  const std::string text =
      "Let us start a new project with Anvil and look at it. Go to your projects\nfolder. Then, on any system, run:\n\n"
      "```console\n$ anvil new hello\n$ cd hello\n```\n\nThe first command makes a folder.";
  const std::vector<QuotePassage> passages = {{text, "Anvil"}};
  const auto quotes = quote_sentences("How do I start a new project with Anvil?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(
      quotes[0].text,
      "Let us start a new project with Anvil and look at it. Go to your projects folder. Then, on any system, run:\n"
      "```\n$ anvil new hello\n$ cd hello\n```");
  EXPECT_EQ(text.substr(quotes[0].byte_end - 8), "cd hello\n```\n\nThe first command makes a folder.");
  const std::vector<QuotePassage> unannounced = {
      {"Install the anvil-distro package with this.\n\n    pip install anvil\n\n"
       "```\n{{#include ../a.rs}}\n```\n\nInstall it on Arch.\n\n```\n"
       "pacman -S anvil\n```\n\nInstall Anvil from source.\n\n```\n"
       "{{#include ../b.rs}}\n```\n",
       "Anvil"}};
  EXPECT_EQ(quote_sentences("How do I install it on Arch?", unannounced).at(0).text,
            "Install it on Arch.\npacman -S anvil");
  EXPECT_EQ(quote_sentences("How do I install Anvil from source?", unannounced).at(0).text,
            "Install Anvil from source.")
      << "a file's place is no code";
  const auto other = quote_sentences("What is a new project started with?", passages);
  ASSERT_FALSE(other.empty());
  EXPECT_EQ(other[0].text, "Let us start a new project with Anvil and look at it.") << "asks for no command";
}

TEST(Quoting, AnItemOfSeveralSentencesIsQuotedWithWhatItAnnounces) {
  const std::vector<QuotePassage> passages = {
      {"# reel\n\n- Convert a film to MP4. Sound at 128 kbit:\n\n`reel -b 128k`\n\n- Cut a film:\n\n`reel -c`\n",
       "reel"}};
  const auto quotes = quote_sentences("How do I convert a film?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("Convert a film to MP4. Sound at 128 kbit: reel -b 128k"), std::string::npos)
      << quotes[0].text;
}

TEST(Quoting, WhatIsExcludedNeedNotBeTold) {
  const std::vector<QuotePassage> passages = {
      {"# pack\n\n- Extract a bundle:\n\n`pack -x`\n\n- List the contents of a pack file:\n\n`pack -t`\n", "pack",
       "pack"}};
  const auto quotes = quote_sentences("How do I list the contents of a pack bundle without extracting it?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "List the contents of a pack file: pack -t");
}

TEST(Quoting, AShortFormIsWhatItsLettersStandFor) {
  const std::vector<QuotePassage> passages = {
      {"# http\n\n> A client for the net.\n\n- Send a request:\n\n`http send`\n", "http", "http"},
      {"### Hop\n\nA step.\n\n### HTTP\n\nShort for [Hypertext Transfer Protocol][http].\n", "Glossary", "Glossary"}};
  const auto quotes = quote_sentences("What is HTTP?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Short for Hypertext Transfer Protocol.");
}

TEST(Quoting, ATermHeadsItsDefinitionInAGlossary) {
  const std::vector<QuotePassage> passages = {
      {"* Explain the law of demand\n\nlaw of demand\n: the relation that a higher price leads to a lower "
       "quantity\n^\n\n"
       "law of supply\n: the relation that a higher price leads to a higher quantity\n^\n",
       ""}};
  const auto quotes = quote_sentences("What is the law of demand?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "law of demand: the relation that a higher price leads to a lower quantity");
}

TEST(Quoting, AMarkedLetterBelongsToItsWord) {
  const std::vector<QuotePassage> passages = {
      {"# pack\n\n- [c]reate a bundle:\n\n`pack cf`\n\n- Lis[t] the contents:\n\n`pack tf`\n", "pack"}};
  const auto quotes = quote_sentences("How do I list the contents of a bundle with pack?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "pack: Lis[t] the contents: pack tf");
}

TEST(Quoting, AttributesOfMarkdownAreNotQuoted) {
  const std::vector<QuotePassage> passages = {
      {"What must be given up is the **opportunity cost**{: data-type=\"term\"} of a choice.", ""}};
  const auto quotes = quote_sentences("What is opportunity cost?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "What must be given up is the opportunity cost of a choice.");
}

TEST(Quoting, AColonTakesTheNextLineAlong) {
  const std::string commands = "# ls\n\n- List all hidden files:\n\n`ls -a`\n\n- List by size:\n\n`ls -S`\n";
  const std::string parts =
      "# Kettle\n\nThe Lumen kettle has these parts:\n\n- a lid\n- a body\n- a cord\n\nIt is red.\n";
  const auto quote_of = [](std::string_view question, std::string_view text) {
    const std::vector<QuotePassage> passages = {{text, ""}};
    const auto quotes = quote_sentences(question, passages);
    return quotes.empty() ? QuotedSentence() : quotes[0];
  };
  const auto span_of = [](const std::string& text, const QuotedSentence& quote) {
    return text.substr(quote.byte_begin, quote.byte_end - quote.byte_begin);
  };
  const QuotedSentence command = quote_of("How do I list hidden files?", commands);
  EXPECT_EQ(command.text, "List all hidden files: ls -a");
  EXPECT_EQ(span_of(commands, command), "- List all hidden files:\n\n`ls -a`");
  const QuotedSentence list = quote_of("Which parts does the Lumen kettle have?", parts);
  EXPECT_TRUE(list.text.starts_with("The Lumen kettle has these parts:")) << list.text;
  EXPECT_EQ(span_of(parts, list), "The Lumen kettle has these parts:\n\n- a lid\n- a body\n- a cord");
}

TEST(Quoting, TheKindOfAnswerDecidesBetweenLikeSentences) {
  const std::vector<QuotePassage> passages = {
      {"The lighthouse of Arnmouth was built by Tilda Voss of Kelby. The lighthouse of Arnmouth was built in 1873. The "
       "lighthouse of Arnmouth was built of red stone.",
       ""}};
  const auto first = [&](std::string_view question) { return quote_sentences(question, passages).front().text; };
  EXPECT_EQ(first("When was the lighthouse of Arnmouth built?"), "The lighthouse of Arnmouth was built in 1873.");
  EXPECT_EQ(first("Who built the lighthouse of Arnmouth?"),
            "The lighthouse of Arnmouth was built by Tilda Voss of Kelby.");
}

TEST(Quoting, WhatStandsFirstUnderAHeadingAnswersWhatTheHeadingSays) {
  const std::vector<QuotePassage> passages = {
      {"# Danger gates\n\nAll gates shown so far were watched by the keeper.\n\nThe danger keyword permits five things "
       "that other gates forbid.\n",
       ""}};
  const auto quotes = quote_sentences("What does the danger keyword permit in Gates?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "The danger keyword permits five things that other gates forbid.")
      << "the heading says two of the question's four words";
  ASSERT_FALSE(quote_sentences("What are danger gates?", passages).empty());
  EXPECT_EQ(quote_sentences("What are danger gates?", passages)[0].text,
            "All gates shown so far were watched by the keeper.");
}

TEST(Quoting, SignsAreAskedAbout) {
  const std::vector<QuotePassage> passages = {
      {"The dot operator calls a method. The `?` operator passes an error on to the caller. An operator has operands.",
       ""}};
  EXPECT_EQ(quote_sentences("What does the ? operator do?", passages).front().text,
            "The ? operator passes an error on to the caller.");
}

TEST(Quoting, FormsOfAWordCountWhereTheWordIsMissing) {
  const std::vector<QuotePassage> passages = {
      {"| property | value |\n|---|---|\n| power | 750 W |\n| weight | 9.4 kg |\n", "P300 garden pump"}};
  const auto quotes = quote_sentences("How much does the P300 weigh?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "weight: 9.4 kg");
}

// "weighs" stands in a passage that cannot be quoted: "weight" is still what answers.
TEST(Quoting, WordsOfOtherDocumentsHideNoForms) {
  const std::vector<QuotePassage> passages = {
      {"The P300 lifts water from wells.\n\n| property | value |\n|---|---|\n| power | 750 W |\n| weight | 9.4 kg |\n",
       "manuals ardent-pump-p300\nArdent P300 garden pump"},
      {"A wheel weighs 3 kg. The frame weighs more.", "bicycles frames\nFrames"}};
  const auto quotes = quote_sentences("How much does the P300 weigh?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "weight: 9.4 kg");
}

TEST(Quoting, WhatStandsFirstUnderAThingsNameSaysWhatItIs) {
  const std::vector<QuotePassage> passages = {
      {"# chmod\n\n> Change the access permissions of a file or directory.\n\n- Give the user rights to "
       "read:\n\n`chmod "
       "u+r {{file}}`\n",
       "common chmod\nchmod"}};
  const auto quotes = quote_sentences("What does chmod do?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Change the access permissions of a file or directory.");
}

TEST(Quoting, StepsWithItemsOfTheirOwnStayOneList) {
  const std::vector<QuotePassage> passages = {
      {"# 炒鸡蛋\n\n## 操作\n\n1. 西红柿洗净\n2. 去皮\n\n  - 开水烫表皮\n\n3. 切块\n4. 盛盘\n", "炒鸡蛋\n炒鸡蛋"}};
  const auto quotes = quote_sentences("炒鸡蛋怎么做？", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("4. 盛盘"), std::string::npos) << quotes[0].text;
  EXPECT_NE(quotes[0].text.find("开水烫表皮"), std::string::npos) << quotes[0].text;
}

TEST(Quoting, FrontMatterIsNoSentence) {
  const std::vector<QuotePassage> passages = {
      {"---\ntitle: Libraries\nauthor: Tilda Voss\nweight: 40\ncSpell:ignore: darwin iphone\n---\n\nLibraries for "
       "phones are installed so.\n",
       "swift libraries\nLibraries"}};
  EXPECT_TRUE(quote_sentences("How much does an iphone weigh?", passages).empty());
  const auto quotes = quote_sentences("Who is the author of the libraries?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("Tilda Voss"), std::string::npos);
}

TEST(Quoting, ADateIsNotAnsweredWithoutOne) {
  const std::vector<QuotePassage> passages = {
      {"# wall\n\n- Send a message to the wall:\n\n`wall {{message}}`\n", "wall"}};
  EXPECT_TRUE(quote_sentences("When did the wall fall?", passages).empty());
}

TEST(Quoting, ANameWithSignsIsToldOfUnderItsHeading) {
  const std::vector<QuotePassage> passages = {
      {"### `OTLP_ENDPOINT`\n\nA base endpoint URL for any signal type. Helpful for one variable.\n\n- HTTP: `export "
       "OTLP_ENDPOINT=http://my-endpoint/`\n",
       "otlp exporter"}};
  const auto quotes = quote_sentences("What does OTLP_ENDPOINT set?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "A base endpoint URL for any signal type.");
}

TEST(Quoting, AMeasureIsNoWordOfTheMatter) {
  const std::vector<QuotePassage> passages = {
      {"Maximum Line Length\n-------------------\n\nLimit all lines to a maximum of 79 characters.\n\nFor flowing long "
       "blocks of text with fewer structural restrictions, the line length should be limited to 72 characters.\n",
       "python-peps pep-0008\nPEP 8: Style Guide"}};
  const auto quotes = quote_sentences("How long may a line be in PEP 8?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Limit all lines to a maximum of 79 characters.");
}

TEST(Quoting, ThingsAreComparedInOneSentence) {
  const std::vector<QuotePassage> passages = {
      {"An f-string is a kind of string. The str type is old.", "python-peps pep-0498\nPEP 498"},
      {"When Rustaceans speak of strings, they might be referring to either the `String` or the string slice `&str` "
       "types, not just one of those types. A `String` can grow.",
       "rust-book ch08-02-strings\nStrings"}};
  const auto quotes = quote_sentences("What is the difference between String and &str?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].passage, 1);
}

// "A wheel and an egg" is said together by a sentence that tells nothing of either.
TEST(Quoting, WhereNoSentenceComparesEachThingIsDefined) {
  const QuotePassage wheel{"A wheel is a built distribution that is unpacked and no more. Wheels came late.", "wheel"};
  const QuotePassage egg{"An egg is a format of the first installers, which held metadata.", "egg"};
  const QuotePassage both{
      "The museum shows a wheel and an egg from the first years. See the next room for the "
      "differences between the wheel and the egg.",
      "museum"};
  const std::vector<std::string> compared = {"What is a wheel?", "What is an egg?"};
  const auto quotes = quote_sentences("What is the difference between a wheel and an egg?",
                                      std::vector<QuotePassage>{both, wheel, egg}, {.compared = compared});
  ASSERT_EQ(quotes.size(), 2u);
  EXPECT_EQ(quotes[0].passage, 1);
  EXPECT_TRUE(quotes[0].text.starts_with("A wheel is"));
  EXPECT_EQ(quotes[1].passage, 2);
  EXPECT_TRUE(quotes[1].text.starts_with("An egg is"));

  const QuotePassage stated{"Unlike an egg, a wheel holds no byte code, whereas the egg does.", "formats"};
  const auto stating = quote_sentences("What is the difference between a wheel and an egg?",
                                       std::vector<QuotePassage>{wheel, egg, stated}, {.compared = compared});
  ASSERT_FALSE(stating.empty());
  EXPECT_EQ(stating[0].passage, 2) << "what states it comes first";
}

TEST(Quoting, APageOfAManualIsNamed) {
  const QuotePassage split{
      "# split\n\n> Cut a file into pieces.\n> More information: <https://example.org>.\n\n"
      "- Make pieces of 10 lines:\n\n`split -l 10 file`\n",
      "common split\nsplit", "split"};
  const QuotePassage make{
      "# make\n\n> Task runner for targets described in a Makefile.\n\n- Use a specific "
      "Makefile:\n\n`make --file file`\n",
      "common make\nmake", "make"};
  const auto quotes = quote_sentences("How do I cut a file into pieces?", std::vector<QuotePassage>{split, make});
  ASSERT_FALSE(quotes.empty());
  EXPECT_TRUE(quotes[0].text.starts_with("split: Cut a file into pieces.")) << quotes[0].text;
  const auto verb = quote_sentences("How do I make pieces of a file?", std::vector<QuotePassage>{make, split});
  ASSERT_FALSE(verb.empty());
  EXPECT_EQ(verb[0].passage, 1) << "to make is not the program make: " << verb[0].text;
}

TEST(Quoting, AnInstructionBeginsWithItsVerb) {
  const QuotePassage head{
      "# head\n\n> Output the first part of files.\n\n- Output the first lines of a file:\n\n"
      "`head --lines count file`\n",
      "common head\nhead", "head"};
  const QuotePassage wc{"# wc\n\n> Print numbers.\n\n- Count all lines in a file:\n\n`wc --lines file`\n",
                        "common wc\nwc", "wc"};
  const auto quotes = quote_sentences("How do I count the lines of a file?", std::vector<QuotePassage>{head, wc});
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].passage, 1) << quotes[0].text;
}

TEST(Quoting, TheHeadingThatIsAskedForMarksThePlace) {
  const std::vector<QuotePassage> passages = {
      {"# Indentation\n\nThe maximum depth of a line is not limited.\n\n# Maximum line length\n\nLimit all lines to at "
       "most 79 characters.\n",
       ""}};
  EXPECT_EQ(quote_sentences("What is the maximum line length?", passages).front().text,
            "Limit all lines to at most 79 characters.");
}

TEST(Sentences, HeadingsOfAnyFormat) {
  const std::string text =
      "Line length\n-----------\n\nAt most 79.\n\n=====\nTitle\n=====\n\n2. The new crane\nThe old crane was taken "
      "out of service.\n\nHours\n\nThe week has 36 hours.\n\n2.1 Extra hours\n\nNone.";
  std::vector<std::string> headings;
  for (const Sentence& s : split_sentences(text)) {
    if (s.is_heading()) headings.push_back(text.substr(s.byte_begin, s.byte_end - s.byte_begin));
  }
  EXPECT_EQ(headings,
            (std::vector<std::string>{"Line length", "Title", "2. The new crane", "Hours", "2.1 Extra hours"}));
}

TEST(Sentences, RowsOfAnyTableUnderTheirHead) {
  const auto rows = [](std::string_view text) {
    std::vector<std::string> read;
    std::string_view head;
    for (const Sentence& s : split_sentences(text)) {
      const std::string_view raw = text.substr(s.byte_begin, s.byte_end - s.byte_begin);
      if (s.kind == SentenceKind::kTableHead) head = raw;
      if (s.kind == SentenceKind::kRow) read.push_back(plain_row(raw, head));
    }
    return read;
  };
  using Rows = std::vector<std::string>;
  EXPECT_EQ(rows("| light | cause | remedy |\n|---|---|---|\n| red | too hot | wait |\n| none | | look |"),
            (Rows{"light: red; cause: too hot; remedy: wait", "light: none; remedy: look"}));
  EXPECT_EQ(rows("| property | value |\n|---|---|\n| power | 750 W |"), (Rows{"power: 750 W"}));
  EXPECT_EQ(rows("=====  ====  =====\nsite   eggs  chicks\n=====  ====  =====\nmarsh  7     5\n=====  ====  ====="),
            (Rows{"site: marsh; eggs: 7; chicks: 5"}));
  EXPECT_EQ(rows("name,shelf,pieces\nhinge,C4,310\n\"wire, thin\",D1,18"),
            (Rows{"name: hinge; shelf: C4; pieces: 310", "name: wire, thin; shelf: D1; pieces: 18"}));
  EXPECT_EQ(rows("part | weight | made of\nfoot | 2 kg | iron"), (Rows{"part: foot; weight: 2 kg; made of: iron"}));
  EXPECT_EQ(rows("name;remark;phone\nBerg;Rings twice. Waits.;0101\nCole;Deaf.;0199"),
            (Rows{"name: Berg; remark: Rings twice. Waits.; phone: 0101", "name: Cole; remark: Deaf.; phone: 0199"}));
  // As readers of sheets write them: names apart, a bar before a first cell that is empty.
  EXPECT_EQ(rows("Hours\n\n| | Summer | Winter\n\nKiosk | 9 to 18 | closed\n| | noon |"),
            (Rows{"Kiosk; Summer: 9 to 18; Winter: closed", "Summer: noon"}));
}

TEST(Sentences, FurtherPassagesOfASheetAreReadUnderTheNamesAbove) {
  const std::string_view rows = "Nordlys | North | 2026\nHavfrue | North | 2025";
  const PassageOutline outline(rows, "fleet.xlsx\nFleet\nBoats > Boat | Pier | Inspected | Remark");
  ASSERT_EQ(outline.parts().size(), 2u);
  EXPECT_EQ(outline.text_of(0), "Boat: Nordlys; Pier: North; Inspected: 2026");
  EXPECT_EQ(outline.text_of(1), "Boat: Havfrue; Pier: North; Inspected: 2025");
  const PassageOutline first("Boat;Pier;Year\nNordlys;North;2026\nHavfrue;North;2025", "a.csv\nBoat;Pier;Year");
  EXPECT_EQ(first.text_of(1), "Boat: Nordlys; Pier: North; Year: 2026");
}

TEST(Sentences, AnyMarkupGivesSoundSpans) {
  constexpr std::string_view kPieces[] = {
      "- ",    "* ",  "1. ",  "12) ", "# ",   "|",      " | ",   "|---|---|", "+---+", "=====  ====", "-----",
      "```",   "~~~", "\n",   "\n\n", "Word", "word ",  "Key: ", ",",         ". ",    "：",          "<tag>",
      "<!-- ", "-->", "红烧", "\xff", "`?` ", "[a](b)", "![",    "  ",        "\r\n",  "\""};
  Random random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (uint64_t n = random.below(40); n > 0; --n) text += kPieces[random.below(std::size(kPieces))];
    size_t last = 0;
    for (const Sentence& s : split_sentences(text)) {
      ASSERT_LE(last, s.byte_begin) << text;
      ASSERT_LT(s.byte_begin, s.byte_end) << text;
      ASSERT_LE(s.byte_end, text.size()) << text;
      last = s.byte_end;
    }
    const std::vector<QuotePassage> passages = {{text, "Word"}, {text, ""}};
    for (const std::string_view question :
         {"How do I word the key?", "What is in the word, and why `?`", "红烧几个？"}) {
      for (const QuotedSentence& quote : quote_sentences(question, passages)) EXPECT_LE(quote.byte_end, text.size());
    }
  }
}

TEST(Quoting, StepsAreQuotedWholeAndInOrder) {
  const std::vector<QuotePassage> passages = {
      {"## Descaling\n\nDescale the kettle when CA shows.\n\n1. Fill in citric acid.\n2. Wait.\n3. Rinse the "
       "kettle.\n\n"
       "Do not use vinegar: it attacks the seal.\n\n## Cleaning\n\n- Wipe the kettle.\n- Dry it.\n",
       "Kettle"}};
  const auto quotes = quote_sentences("How do I descale the kettle, and why not with vinegar?", passages);
  ASSERT_EQ(quotes.size(), 2u);
  EXPECT_EQ(quotes[0].text, "Descaling:\n1. Fill in citric acid.\n2. Wait.\n3. Rinse the kettle.");
  EXPECT_EQ(quotes[1].text, "Do not use vinegar: it attacks the seal.");
}

TEST(Quoting, AListThatIsAskedForIsQuotedWhole) {
  const std::vector<QuotePassage> passages = {
      {"# Rye bread\n\n## Ingredients\n\n- 500 g flour\n- 12 g salt\n\n## Method\n\n1. Knead.\n2. Bake the rye "
       "bread.\n",
       "Rye bread"}};
  EXPECT_EQ(quote_sentences("Which ingredients does rye bread need?", passages).front().text,
            "Ingredients:\n- 500 g flour\n- 12 g salt");
  EXPECT_EQ(quote_sentences("How is rye bread made?", passages).front().text,
            "Method:\n1. Knead.\n2. Bake the rye bread.");
}

TEST(Quoting, LongListsAreCutAtAnItem) {
  std::string text = "# How to count\n\n";
  for (int i = 1; i <= 100; ++i) text += std::to_string(i) + ". Say the number and count on from there slowly.\n";
  const std::vector<QuotePassage> passages = {{text, ""}};
  const auto quotes = quote_sentences("How do I count?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_LT(quotes[0].text.size(), 2000u);
  EXPECT_TRUE(quotes[0].text.ends_with("slowly.\n...")) << quotes[0].text;
}

// Its first line says what a bill is for, and no sum that is not in the question.
TEST(Quoting, TheFirstLineOfABillBringsTheOthersAlong) {
  const std::vector<QuotePassage> passages = {
      {"Northern Light Power - annual statement 2025\nCustomer number 88-20417\nConsumption: 2,715 kWh\n"
       "Total: £774.10\n\nMeter readings are sent in by 20 December.\n",
       "Electricity 2025"}};
  const auto quotes = quote_sentences("How much electricity did we use in 2025?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("2,715 kWh"), std::string::npos) << quotes[0].text;
  EXPECT_EQ(quotes[0].text.find("Meter readings"), std::string::npos) << quotes[0].text;
}

TEST(Quoting, ChineseQuestions) {
  const std::vector<QuotePassage> passages = {{"先把锅烧热。红烧肉要用小火炖四十分钟。最后撒上葱花。", ""}};
  const auto quotes = quote_sentences("红烧肉要炖多少分钟？", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "红烧肉要用小火炖四十分钟。");
}

TEST(Quoting, NothingToSayAboutOtherThings) {
  const std::vector<QuotePassage> passages = {{"The harbour has three piers.", ""}};
  EXPECT_TRUE(quote_sentences("Who invented the telephone?", passages).empty());
  EXPECT_TRUE(quote_sentences("", passages).empty());
  EXPECT_TRUE(quote_sentences("the of and", {}).empty());
}

TEST(QueryRewriter, OnlyWordsOfTheConversationAreTrusted) {
  const std::vector<Turn> history = {{"When does the Arnmouth museum open?", "It opens at nine, except on Mondays."}};
  const auto trusted = [&](std::string_view text) { return is_trustworthy(text, "And in winter?", history); };
  EXPECT_TRUE(trusted("When does the Arnmouth museum open in winter?"));
  EXPECT_FALSE(trusted("And in winter?")) << "adds nothing";
  EXPECT_FALSE(trusted("When does the Arnmouth museum open?")) << "loses what was asked";
  EXPECT_FALSE(trusted("In winter the Kelby lighthouse museum in Norway shows paintings by Munch"))
      << "makes things up";
  EXPECT_FALSE(trusted("When does the museum open\nin winter?"));
  EXPECT_FALSE(trusted(""));
}

// A question that leans on a conversation is answered by what it asks itself, in what is being talked about.
TEST(Quoting, WhatIsLeanedOnSaysOnlyWhereToLook) {
  const std::vector<QuotePassage> passages = {
      {"Everyone has 27 days of annual leave plus public holidays. Up to five days may be carried over until 31 March.",
       "Handbook"},
      {"Dogs may be carried on trains.", "Trains"}};
  QuotingOptions options;
  options.leaned_on = "annual leave";
  const std::vector<QuotedSentence> quotes =
      quote_sentences("Can I carry some over? (annual leave)", passages, options);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes.front().text, "Up to five days may be carried over until 31 March.");
  EXPECT_TRUE(quotes.front().fits);
  const std::vector<QuotedSentence> other = quote_sentences("Is there a canteen? (annual leave)", passages, options);
  EXPECT_TRUE(other.empty() || !other.front().fits) << "of a canteen nothing is said";
}

// Bills and plans have a line for each thing they say.
TEST(Quoting, LinesOfNotesAreQuotedByThemselves) {
  const std::vector<QuotePassage> passages = {
      {"Taller Hermanos\nPresupuesto 318\nCambio de correa: 465,00 €\nCuatro neumáticos: 312,00 €\nTotal con IVA: "
       "940,17 €\n",
       "Taller"}};
  const std::vector<QuotedSentence> quotes = quote_sentences("¿Cuánto costó el cambio de correa?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes.front().text, "Cambio de correa: 465,00 €");
}

// What a trip costs is told in the sentence after the one that says where it goes.
TEST(Quoting, ASumBesideWhatIsAskedOfIsTheAnswer) {
  const std::vector<QuotePassage> passages = {
      {"Unsere Klassenfahrt führt uns nach Wernigerode. Die Kosten belaufen sich auf 218 Euro pro Kind.", "Brief"}};
  const std::vector<QuotedSentence> quotes = quote_sentences("Was kostet die Klassenfahrt?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes.front().text, "Die Kosten belaufen sich auf 218 Euro pro Kind.");
}

// Lists were quoted for any "how" that some of their items shared words with.
TEST(Quoting, StepsOfSomethingElseAreNotTheAnswerToHow) {
  const std::vector<QuotePassage> passages = {
      {"To create a new thread, we call the `thread::spawn` function and pass it a closure containing the code we want "
       "to run in the new thread. The main thread goes on.",
       "rust-book ch16-01-threads\nUsing Threads to Run Code Simultaneously\nCreating a New Thread with spawn"},
      {"Interpreters and Threads\n------------------------\n\nThread states are related to interpreters.\n\n"
       "1. create a new interpreter state\n2. create a new thread state\n3. set the state as current\n"
       "4. initialize the interpreter\n",
       "python-peps pep-0734\nPEP 734: Multiple Interpreters in the Stdlib"}};
  const auto quotes = quote_sentences("How do I create a new thread?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("thread::spawn"), std::string::npos) << quotes[0].text;
}

TEST(Quoting, HowLongIsAnsweredWithTime) {
  const std::vector<QuotePassage> passages = {
      {"## 计算\n\n每份：\n\n- 鲈鱼 一条\n- 蒸鱼豉油 10-15ml\n- 料酒 10-15ml\n\n## 操作\n\n1. 鱼身撒上姜和葱白\n"
       "2. 大火清蒸 10 分钟。\n3. 鱼身浇上 15ml 蒸鱼豉油\n\n所以大火蒸鱼一般是 10 分钟内较佳。\n",
       "清蒸鲈鱼 清蒸鲈鱼\n清蒸鲈鱼的做法"}};
  const auto quotes = quote_sentences("蒸鱼要蒸多久？", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("10 分钟"), std::string::npos) << quotes[0].text;
}

TEST(Quoting, TheFolderSaysWhoseOperatorItIs) {
  const std::vector<QuotePassage> passages = {
      {"In C# the `?` operator tests a value for null. The proposal reads member names behind it.",
       "python-peps pep-0505\nPEP 505: None-aware operators"},
      {"The `?` operator placed after a Result value hands errors on to the caller.",
       "rust-book ch09-02\nRecoverable Errors with Result"}};
  const auto quotes = quote_sentences("What does the ? operator do in Rust?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("hands errors on"), std::string::npos) << quoted_answer(quotes);
}

TEST(Quoting, WhoWroteItIsItsAuthor) {
  const std::vector<QuotePassage> passages = {
      {"PEP: 8\nTitle: Style\nAuthor: Guido van Rossum\nStatus: Active\n\nAs the Zen (PEP 20) says, readability "
       "counts. PEP 20 was written before.\n",
       "python-peps pep-0008\nPEP 8: Style"},
      {"PEP: 20\nTitle: The Zen of Python\nAuthor: Tim Peters <tim.peters@example.org>\nStatus: Active\n\nLong time "
       "Pythoneers know these "
       "principles.\n",
       "python-peps pep-0020\nPEP 20: The Zen of Python"}};
  const auto quotes = quote_sentences("Who wrote PEP 20?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_TRUE(quotes[0].text.starts_with("Author: Tim Peters")) << quotes[0].text;
}

TEST(Quoting, OfTwoManualsTheOneThatItsFolderNames) {
  const std::vector<QuotePassage> passages = {
      {"Error codes\n\nE15: water in the base. Switch off the tap and call service.\nE24: drain hose kinked.\n",
       "Manuals > Dishwasher Bosch manual\nmanual"},
      {"Error codes\n\nE15: door not locked. Close the door firmly.\nE24: motor overheated; wait 30 minutes.\n",
       "Manuals > Washing machine Miele manual\nmanual"}};
  for (const auto& [question, answer] :
       {std::pair("What does E15 mean on the washing machine?", "E15: door not locked"),
        std::pair("What does E15 mean on the dishwasher?", "E15: water in the base"),
        std::pair("E24 Miele", "E24: motor overheated")}) {
    const auto quotes = quote_sentences(question, passages);
    ASSERT_FALSE(quotes.empty()) << question;
    EXPECT_TRUE(quotes[0].text.starts_with(answer)) << question << ": " << quotes[0].text;
  }
}

TEST(Quoting, WhatFoldersSayNeedNotBeSaidAgain) {
  const std::vector<QuotePassage> passages = {
      {"Invoice 88\nDate: 5 March 2024\nTotal due: 92.10 EUR\nPay within 30 days.\n",
       "Papers > Invoices > Brightwater > 2024 march\nmarch"},
      {"Annual premium: 412 EUR\nDeductible: 150 EUR\n", "Papers > Car > Skoda > insurance 2023\n2023"}};
  const auto quotes = quote_sentences("How much was the car insurance in 2023?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_TRUE(quotes[0].text.starts_with("Annual premium: 412 EUR")) << quotes[0].text;
}

TEST(Sentences, FormsNameTheirValuesInTheRow) {
  const std::string text = "Order: | 2024-5678 | Cinema: | Downtown\nOther: | SC-WINTER\n| | Billing: | Net 30";
  std::vector<std::string> read;
  for (const Sentence& s : split_sentences(text)) {
    EXPECT_EQ(s.kind, SentenceKind::kRow);
    read.push_back(plain_row(std::string_view(text).substr(s.byte_begin, s.byte_end - s.byte_begin), ""));
  }
  EXPECT_EQ(read,
            (std::vector<std::string>{"Order: 2024-5678; Cinema: Downtown", "Other: SC-WINTER", "Billing: Net 30"}));
  EXPECT_EQ(plain_row("Ann | 3", "Name: | Age:"), "Ann: 3") << "names of columns may end in a colon";
  EXPECT_FALSE(labels_its_cells(row_cells("Name: | Age:")));
}

TEST(Quoting, RowsBelowALineOfATableAreRows) {
  const std::vector<QuotePassage> passages = {
      {"Repair Order # RO-2022 | Estimator Ellis\nEstimate Totals\nHours | Rate | Cost\nPaint | 1.5 | 225\nSales Tax | "
       "10.20% | "
       "278.46\nNote\nGRAND TOTAL | 5,738\nPAID | 0",
       "Estimate"}};
  const auto quotes = quote_sentences("What is the grand total?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "GRAND TOTAL: 5,738");
}

TEST(Quoting, NotesWithCommasAreNoTable) {
  const std::vector<QuotePassage> passages = {
      {"12 May: oil and filter, 61,200 km, 189 EUR\n3 November: winter tyres fitted, 67,900 km, 40 EUR\n",
       "Car > Skoda service log\nservice log"}};
  const auto quotes = quote_sentences("When were winter tyres fitted?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("67,900 km, 40 EUR"), std::string::npos) << quotes[0].text;
}

TEST(Quoting, WhoCreatedItIsToldBesideAuthor) {
  const std::vector<QuotePassage> passages = {
      {"PEP: 572\nTitle: Assignment Expressions\nAuthor: Chris Angelico, Tim Peters, Guido van Rossum\n"
       "Created: 28-Feb-2018\n\nThis is a proposal for creating a way to assign to variables.",
       "pep-0572"}};
  const auto quotes = quote_sentences("Who created PEP 572?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Author: Chris Angelico, Tim Peters, Guido van Rossum");
}

TEST(Quoting, WhatIsCalledByNameIsNotAnsweredFromElsewhere) {
  const std::vector<QuotePassage> passages = {
      {"PEP: 8\nTitle: Style\nAuthor: Guido van Rossum\nStatus: Active\n", "python-peps pep-0008\nPEP 8: Style"}};
  EXPECT_FALSE(quote_sentences("Who is the author of PEP 8?", passages).empty());
  EXPECT_TRUE(quote_sentences("Who is the author of PEP 9?", passages).empty());
}

TEST(Quoting, ATermIsDefinedWhereItIsIntroduced) {
  const std::vector<QuotePassage> passages = {
      {"### The Borrow Checker\n\nThe borrow checker reports an error here. The Rust compiler has a _borrow checker_ "
       "that "
       "compares scopes to determine whether all borrows are valid. Listing 10-17 shows the same code.",
       ""},
      {"We fight the borrow checker.", ""}};
  const auto quotes = quote_sentences("What is the borrow checker?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("a borrow checker that compares scopes"), std::string::npos) << quotes[0].text;
}

TEST(Quoting, EmphasisThatIsUsualIntroducesNothing) {
  const std::vector<QuotePassage> passages = {
      {"Figure 15 shows the compute time of *Karmel* for robots. So the gain of *Karmel* over all others is large. "
       "Nobody runs *Karmel* twice.",
       ""},
      {"Robots wait. We present *Karmel*, a scheme that keeps what robots have learned from one day to the next.", ""}};
  const auto quotes = quote_sentences("What is Karmel?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_TRUE(quotes[0].text.starts_with("We present Karmel, a scheme")) << quotes[0].text;
}

TEST(Quoting, WhatSaysWhatAThingIsComesBeforeWhatOnlyLeads) {
  const std::vector<QuotePassage> passages = {
      {"The reason is cardinality. Cardinality is high here, and the cardinality of labels is to be kept low.", ""},
      {"Some labels have many values. Cardinality refers to the number of unique values that a label can have.", ""}};
  const auto quotes = quote_sentences("What is cardinality?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_TRUE(quotes[0].text.starts_with("Cardinality refers to")) << quotes[0].text;
}

TEST(Quoting, ASentenceThatBeginsWithTheSignTellsWhatItDoes) {
  const std::vector<QuotePassage> passages = {
      {"The `?` placed after a value hands errors on to the caller. We may only use `?` in a function that returns a "
       "Result. Calls may be chained after the `?` here.",
       "rust-book ch09-02\nRecoverable Errors with Result"}};
  const auto quotes = quote_sentences("What does ? do in Rust?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes[0].text.find("hands errors on"), std::string::npos) << quotes[0].text;
}

// What is to be added up is shown row by row.
TEST(Quoting, AllRowsThatAreToBeReckonedAreQuoted) {
  const std::vector<QuotePassage> passages = {
      {"date,category,shop,amount\n2025-09-02,bicycle,Leith,86.50\n2025-09-12,boiler,Kerr,96.00\n"
       "2025-11-08,bicycle,Leith,24.00\n2025-12-01,bicycle,Leith,12.00\n2025-12-02,rent,Ellison,1140.00\n"
       "2025-12-09,bicycle,Leith,7.00\n",
       "Expenses"}};
  const std::vector<QuotedSentence> quotes = quote_sentences("How much did we spend on the bicycle?", passages);
  ASSERT_EQ(quotes.size(), 4U);
  for (const QuotedSentence& quote : quotes) EXPECT_NE(quote.text.find("bicycle"), std::string::npos) << quote.text;
}

TEST(Quoting, ANumberedPlaceIsQuotedToTheNextOne) {
  const std::vector<QuotePassage> passages = {
      {"The nipples are listed in section 8.6 of the manual.", "Manual"},
      {"## 8 Maintenance\n\n### 8.6 Nipples\n\nThere are eleven nipples. Four are on the X axis.\n\n### 8.7 "
       "Belts\n\nTwo "
       "belts.\n",
       "Manual"},
      {"7.3 Invoices are payable within 45 days.\n\n7.4 Fees are fixed.\n\nAnnex E: Break Fee\n\nThe fee is EUR 95.\n",
       "Contract"}};
  const auto first = [&](std::string_view question) {
    const std::vector<QuotedSentence> quotes = quote_sentences(question, passages);
    return quotes.empty() ? std::string() : quotes.front().text;
  };
  EXPECT_EQ(first("What does section 8.6 of the manual say?"), "There are eleven nipples. Four are on the X axis.");
  EXPECT_EQ(first("Was steht in Abschnitt 7.3?"), "7.3 Invoices are payable within 45 days.");
  EXPECT_NE(first("What is in Annex E?").find("EUR 95"), std::string::npos);
}

// What a text says about something is what stands first under the heading of that name, though it does not repeat it.
TEST(Quoting, WhatIsSaidAboutSomethingStandsUnderItsHeading) {
  const std::vector<QuotePassage> passages = {
      {"## Indentation\n\nUse four spaces.\n\n## Maximum Line Length\n\nLimit all lines to 79 characters.\n\nSome "
       "teams "
       "prefer a longer line length.\n",
       "Style Guide"},
      {"Tenancy agreement\n\nPets\n\nDogs need the landlord's consent. Cats do not.\n\nSmoking\n\nIt is not allowed.\n",
       "Lease"}};
  const auto first = [&](std::string_view question) {
    const std::vector<QuotedSentence> quotes = quote_sentences(question, passages);
    return quotes.empty() ? std::string() : quotes.front().text;
  };
  EXPECT_NE(first("What does the style guide say about line length?").find("79 characters"), std::string::npos);
  EXPECT_NE(first("What are the rules for pets?").find("Dogs need"), std::string::npos);
  EXPECT_EQ(first("What does the lease say about parking?"), "");
}

TEST(Quoting, WhatToDoIsToldInMoreThanOneSentence) {
  const std::vector<QuotePassage> passages = {
      {"Alarm 2041: the tool changer did not find its position. Turn the carousel by hand and press RESET.", "Manual"}};
  const std::vector<QuotedSentence> quotes = quote_sentences("What should I do at alarm 2041?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes.front().text.find("Turn the carousel"), std::string::npos);
}

TEST(Quoting, TheSwissAndCapitalsWriteTwoLettersForSharpS) {
  const auto quoted = [](std::string_view question, std::string_view text) {
    const QuotePassage passage{text, "Letter"};
    const std::vector<QuotedSentence> quotes = quote_sentences(question, std::span(&passage, 1));
    return quotes.empty() ? std::string() : quotes.front().text;
  };
  EXPECT_EQ(quoted("Wer hilft bei der Schließanlage?", "Das Haus ist alt. Bei der Schliessanlage hilft Frau Tschudi."),
            "Bei der Schliessanlage hilft Frau Tschudi.");
  EXPECT_EQ(quoted("Wer hilft bei der Schliessanlage?", "Das Haus ist alt. Bei der Schließanlage hilft Frau Tschudi."),
            "Bei der Schließanlage hilft Frau Tschudi.");
}

TEST(Quoting, IrregularFormsOfAQuestionsWordsAreTheWords) {
  const auto quoted = [](std::string_view question, std::string_view text) {
    const QuotePassage passage{text, "Notes"};
    const std::vector<QuotedSentence> quotes = quote_sentences(question, std::span(&passage, 1));
    return quotes.empty() ? std::string() : quotes.front().text;
  };
  EXPECT_EQ(quoted("How did the thief come in?", "The fence is new. The thieves came through the cellar window."),
            "The thieves came through the cellar window.");
  EXPECT_EQ(quoted("What is Anna's favorite color?", "Anna turned nine. Anna's favourite colour is teal."),
            "Anna's favourite colour is teal.");
}

}  // namespace
}  // namespace mneme::rag
