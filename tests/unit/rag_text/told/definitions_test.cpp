#include "rag/text/told/definitions.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

double cue(std::string_view question, std::string_view sentence) {
  std::unordered_set<std::string> asked;
  for (const std::string& word : words_of(question)) asked.emplace(stem_of(word));
  return defining_cue(sentence, asked);
}

TEST(Definitions, TheThingIsTheSubject) {
  EXPECT_EQ(cue("What is a wheel?", "A wheel is a ZIP-format archive."), 1.0);
  EXPECT_EQ(cue("What is a wheel?", "The term wheel means an archive."), 1.0);
  EXPECT_LT(cue("What is a wheel?", "A wheel is built by a tool."), 1.0);
  EXPECT_EQ(cue("What is a wheel?", "Installers unpack every wheel they meet."), 0.0);
  EXPECT_LT(cue("What is the GIL?", "The GIL is the cause."), 1.0);
  EXPECT_GT(cue("What is the GIL?", "The GIL is the lock that guards all objects."), 0.6);
  EXPECT_LT(cue("What is a wheel?", "The wheel cache is a folder."), 1.0) << "something else";
  EXPECT_LE(cue("What is a namespace package?", "Allowing implicit namespace packages means that it can be dropped."),
            0.5);
  EXPECT_LE(cue("What is a namespace package?", "Namespace packages' path is an iterable."), 0.5);
  EXPECT_EQ(cue("What is a namespace package?", "In Python, namespace packages are a mechanism for splitting."), 1.0);
  EXPECT_EQ(cue("What is a lifetime?", "Lifetimes are another kind of generic."), 1.0);
  EXPECT_EQ(cue("什么是所有权？", "所有权是一种规则。"), 1.0);
}

TEST(Definitions, OneOfManyOrAnotherIsNotTheThing) {
  EXPECT_EQ(cue("What is a trait?", "This trait is the interface that we need."), 0.0);
  EXPECT_LE(cue("What is a trait?", "A trait bound means that it may be so."), 0.5);
  EXPECT_EQ(cue("What is a trait?", "If two _types_ have one _trait_, it is chosen by type."), 0.0);
  EXPECT_EQ(cue("What is a trait?", "A _trait_ defines what a type has."), 1.0) << "introduced and told of";
}

TEST(Definitions, WhatItMeansForOneThingIsNotWhatItIs) {
  EXPECT_LE(cue("What is opportunity cost?", "The opportunity cost of a ticket is the burger that is given up."), 0.5);
  EXPECT_EQ(cue("What is the cost of living?", "The cost of living is the price of a basket of goods."), 1.0);
  EXPECT_LE(cue("What is inflation?", "Inflation means that prices are perceived more vaguely."), 0.5);
  EXPECT_EQ(cue("What is inflation?", "Inflation means a general rise of prices."), 1.0);
}

TEST(Definitions, SeveralAreOfAKind) {
  EXPECT_EQ(cue("What is a tariff?", "Tariffs are taxes that governments place on imported goods."), 1.0);
  EXPECT_EQ(cue("What is a closure?", "Closures are anonymous functions you can save."), 1.0);
  EXPECT_LE(cue("What is a tariff?", "Tariffs are often used."), 0.5);
  EXPECT_LE(cue("What is a public good?", "Externalities and public goods are closely related concepts."), 0.5);
  EXPECT_LE(cue("What is a lifetime?", "Lifetimes on parameters are called input lifetimes."), 0.5);
}

TEST(Definitions, WhatIsJoinedToAnotherWordIsAnother) {
  EXPECT_LE(cue("What is a trace?", "num_traces is the number of traces that are kept."), 0.5);
  EXPECT_LE(cue("What is an operator?", "The sum-operator is a sign."), 0.5);
}

TEST(Definitions, LettersMayStandWithinWords) {
  EXPECT_EQ(cue("What is HTTP?", "HTTP (hypertext transfer protocol) is a protocol."), 1.0);
  EXPECT_EQ(long_form("the Hypertext Transfer Protocol (HTTP)", "http"), "hypertext transfer protocol");
  EXPECT_EQ(long_form("the Extensible Markup Language (XML)", "xml"), "");
  EXPECT_LT(cue("What is an API?", "An [API](/application-programming-interface/) gateway is a tool."), 1.0)
      << "what a link leads to is not said";
  EXPECT_TRUE(opens_with_long_form("\n\nShort for [Hypertext Transfer Protocol][http].", "http"));
  EXPECT_TRUE(opens_with_long_form("Application Programming Interface.", "api"));
  EXPECT_FALSE(opens_with_long_form("This command is an alias.", "http"));
  EXPECT_FALSE(opens_with_long_form("", "http"));
  EXPECT_GT(cue("What is Wasm?", "WebAssembly (often abbreviated as Wasm) is a binary format."), 0.8);
}

TEST(Definitions, EmphasisMarksATermWhereItIsIntroduced) {
  const std::string_view question = "What is the borrow checker?";
  EXPECT_GT(cue(question, "The Rust compiler has a _borrow checker_ that compares scopes."), 0.8);
  EXPECT_GT(cue(question, "It has a **borrow checker** for that."), 0.8);
  EXPECT_EQ(cue(question, "It has a borrow checker for that."), 0.0);
  EXPECT_EQ(cue(question, "We *really* need it for the borrow checker."), 0.0) << "emphasis of something else";
  EXPECT_EQ(cue(question, "Call my_borrow_checker_now for that."), 0.0) << "names of code are not emphasised";
  EXPECT_GT(cue("What is a crate in Rust?", "A binary *crate* can be run."), 0.8);
}

TEST(Definitions, WhatIsSpelledOutAndToldOfIsDefined) {
  const std::string_view question = "What is the GIL?";
  EXPECT_EQ(cue(question, "CPython's global interpreter lock (\"GIL\") prevents multiple threads from running."), 1.0);
  const double in_passing = cue(question, "Note that the Global Interpreter Lock (GIL) continues to govern execution.");
  EXPECT_LT(in_passing, 0.75) << "less than what tells what it does";
  EXPECT_GT(in_passing, cue(question, "The GIL is built into CPython."));
}

TEST(Definitions, ANameIsGiven) {
  EXPECT_GT(cue("What is borrowing?", "Making a reference is called borrowing."), 0.8);
  EXPECT_GT(cue("What is the GIL?", "The lock, also known as the GIL, guards objects."), 0.8);
  EXPECT_EQ(cue("What is borrowing?", "The function called main ends."), 0.0);
  EXPECT_EQ(cue("What is a lifetime?", "The patterns are called the lifetime elision rules."), 0.0);
  EXPECT_EQ(cue("What is a metaclass?", "This is called a metaclass conflict."), 0.0);
}

TEST(Definitions, AShortFormLeadsToItsLongForm) {
  EXPECT_EQ(long_form("Note that the Global Interpreter Lock (GIL) governs.", "gil"), "global interpreter lock");
  EXPECT_EQ(long_form("CPython's global interpreter lock (\"GIL\") prevents", "gil"), "global interpreter lock");
  EXPECT_EQ(long_form("global interpreter lock, GIL", "gil"), "");
  EXPECT_EQ(long_form("Threads (all of them) wait (GIL).", "gil"), "");
  EXPECT_EQ(long_form("", "gil"), "");
}

TEST(Definitions, OddSentencesAreHarmless) {
  constexpr std::string_view kPieces[] = {"_", "*", "**",   "called", " known as ", "the ", "wheel",
                                          "(", ")", "\xff", "轮",     "是",         " "};
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string sentence;
    for (uint64_t n = random.below(12); n > 0; --n) sentence += kPieces[random.below(std::size(kPieces))];
    const double value = cue("What is a wheel, 轮是什么?", sentence);
    EXPECT_GE(value, 0.0);
    EXPECT_LE(value, 1.0);
  }
}

TEST(Definitions, EntriesOfTablesAndGlossaries) {
  const std::vector<std::string> f28{"f28"};
  for (const char* line :
       {"| F28 | no ignition | check the valve |", "F28: no ignition", "- **F28**: no ignition", "F28 - no ignition",
        "F28,no ignition,check", "* `F28` = no ignition", "Error F28: no ignition"}) {
    EXPECT_TRUE(is_entry_of(line, f28)) << line;
  }
  for (const char* line :
       {"F28 is rare", "F28, which is rare", "the old code F28: no ignition", "F28:", "F28-2 is rare", ""}) {
    EXPECT_FALSE(is_entry_of(line, f28)) << line;
  }
  EXPECT_TRUE(is_entry_of("Law of demand: less is bought", {"law", "of", "demand"}));
  EXPECT_TRUE(is_entry_of("tariffs: taxes on imported goods", {"tariff"}));
  EXPECT_FALSE(is_entry_of("Law: less is bought", {"law", "of", "demand"}));
  EXPECT_FALSE(is_entry_of("Law: less is bought", {}));
  EXPECT_FALSE(is_entry_of("PEP: 1", {"pep"})) << "a number tells nothing";
}

}  // namespace
}  // namespace mneme::rag
