#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/utf8.h"
#include "storage/catalogue/lexical_query.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::storage {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

TEST(LexicalTermsTest, FoldsCaseAccentsAndForms) {
  EXPECT_THAT(lexical_terms("Café ﬁle ＡＢＣ Straße Øre"), ElementsAre("cafe", "file", "abc", "strass", "or"));
  EXPECT_THAT(lexical_terms("ёлка Ёлка"), ElementsAre("елка", "елка"));
  EXPECT_THAT(lexical_terms("soft\u00adhyphen zero\u200bwidth"), ElementsAre("softhyphen", "zerowidth"));
}

TEST(LexicalTermsTest, SharpSIsTwoLetters) {
  for (const char* street : {"Straße", "Strasse", "STRASSE"}) EXPECT_THAT(lexical_terms(street), ElementsAre("strass"));
  EXPECT_EQ(lexical_terms("İstanbul"), lexical_terms("istanbul")) << "the capital i of Turkish, whose dot is a mark";
  EXPECT_THAT(lexical_terms("STRA\u1e9eE"), ElementsAre("strass"));
}

TEST(LexicalTermsTest, ApostrophesAreOneSign) {
  for (const char* apostrophe : {"'", "\u2018", "\u2019", "\u02bc", "\uff07"}) {
    EXPECT_THAT(lexical_terms("Odile" + std::string(apostrophe) + "s eyes"), ElementsAre("odil", "ey"));
    EXPECT_EQ(lexical_terms("l" + std::string(apostrophe) + "eau"), lexical_terms("l'eau"));
  }
}

TEST(LexicalTermsTest, StemsInflections) {
  EXPECT_EQ(lexical_terms("indexing"), lexical_terms("indexes"));
  EXPECT_EQ(lexical_terms("stories"), lexical_terms("story"));
  EXPECT_EQ(lexical_terms("hopping"), lexical_terms("hopped"));
  EXPECT_EQ(lexical_terms("created"), lexical_terms("create"));
  EXPECT_NE(lexical_terms("university"), lexical_terms("universe"));
  EXPECT_THAT(lexical_terms("Einstein's bus is gas"), ElementsAre("einstein", "bus", "is", "gas"));
  EXPECT_EQ(lexical_terms("الكتاب"), lexical_terms("كتاب"));
}

// The forms of a word meet, and words that only look like forms do not.
TEST(LexicalTermsTest, EnglishEndingsComeOffAsTheyWereAdded) {
  for (const auto& [form, word] :
       {std::pair("hoped", "hope"),       std::pair("hoping", "hope"),     std::pair("hopping", "hop"),
        std::pair("tanned", "tan"),       std::pair("falling", "fall"),    std::pair("hissed", "hiss"),
        std::pair("fizzing", "fizz"),     std::pair("fixed", "fix"),       std::pair("snowing", "snow"),
        std::pair("played", "play"),      std::pair("plays", "play"),      std::pair("sized", "size"),
        std::pair("troubled", "trouble"), std::pair("agreed", "agree"),    std::pair("agreeing", "agree"),
        std::pair("ponies", "pony"),      std::pair("classes", "class"),   std::pair("created", "create"),
        std::pair("rated", "rate"),       std::pair("enabling", "enable"), std::pair("happily", "happily"),
        std::pair("failed", "fail"),      std::pair("walked", "walk"),     std::pair("trying", "try")}) {
    EXPECT_EQ(lexical_terms(form), lexical_terms(word)) << form;
  }
  for (const auto& [one, other] :
       {std::pair("hoping", "hopping"), std::pair("feed", "fee"), std::pair("bring", "br"), std::pair("sing", "s"),
        std::pair("bled", "bl"), std::pair("virus", "viru"), std::pair("pass", "pas"), std::pair("toe", "to")}) {
    EXPECT_NE(lexical_terms(one), lexical_terms(other)) << one;
  }
}

TEST(LexicalTermsTest, ShortWordsMeetTheirFormsToo) {
  for (const auto& [form, word] :
       {std::pair("cries", "cry"),        std::pair("cried", "cry"),          std::pair("crying", "cry"),
        std::pair("ties", "tie"),         std::pair("tied", "tie"),           std::pair("tying", "tie"),
        std::pair("dying", "die"),        std::pair("flies", "fly"),          std::pair("queued", "queue"),
        std::pair("panicked", "panic"),   std::pair("kicked", "kick"),        std::pair("travelled", "travel"),
        std::pair("traveling", "travel"), std::pair("controlled", "control"), std::pair("installed", "install"),
        std::pair("rolled", "roll"),      std::pair("dialling", "dial"),      std::pair("bestilling", "bestille"),
        std::pair("evenings", "evening"), std::pair("toes", "toe"),           std::pair("PCs", "pc"),
        std::pair("GPUs", "gpu"),         std::pair("gases", "gas")}) {
    EXPECT_EQ(lexical_terms(form), lexical_terms(word)) << form;
  }
  for (const auto& [one, other] :
       {std::pair("evening", "even"), std::pair("news", "new"), std::pair("lens", "len"), std::pair("skies", "skis"),
        std::pair("dying", "dyeing"), std::pair("gas", "ga"), std::pair("bus", "buy")}) {
    EXPECT_NE(lexical_terms(one), lexical_terms(other)) << one;
  }
}

TEST(LexicalTermsTest, IrregularFormsMeetTheirWord) {
  for (const auto& [form, word] :
       {std::pair("children", "child"), std::pair("women", "woman"), std::pair("lenses", "lens"),
        std::pair("buses", "bus"), std::pair("shelves", "shelf"), std::pair("analyses", "analysis"),
        std::pair("criteria", "criterion"), std::pair("indices", "indexes"), std::pair("matrices", "matrix"),
        std::pair("bought", "buying"), std::pair("sold", "sells"), std::pair("written", "wrote"),
        std::pair("went", "goes"), std::pair("paid", "payed"), std::pair("taught", "teaches")}) {
    EXPECT_EQ(lexical_terms(form), lexical_terms(word)) << form;
  }
  // They are words of their own, or may be.
  for (const auto& [one, other] : {std::pair("found", "find"), std::pair("left", "leave"), std::pair("lives", "life"),
                                   std::pair("saw", "see"), std::pair("leaves", "leaf")}) {
    EXPECT_NE(lexical_terms(one), lexical_terms(other)) << one;
  }
}

TEST(LexicalTermsTest, BritishAndAmericanSpellingsMeet) {
  for (const auto& [british, american] :
       {std::pair("colours", "color"), std::pair("neighbourhood", "neighborhood"), std::pair("centre", "centers"),
        std::pair("organised", "organize"), std::pair("organisation", "organization"),
        std::pair("organiser", "organizers"), std::pair("analysing", "analyze"), std::pair("licence", "licensed"),
        std::pair("catalogues", "catalog"), std::pair("grey", "gray"), std::pair("fulfil", "fulfilled")}) {
    EXPECT_EQ(lexical_terms(british), lexical_terms(american)) << british;
  }
  for (const auto& [one, other] : {std::pair("anreise", "anreiz"), std::pair("hour", "hor"), std::pair("rise", "rize"),
                                   std::pair("contour", "contor")}) {
    EXPECT_NE(lexical_terms(one), lexical_terms(other)) << one;
  }
}

TEST(LexicalTermsTest, AnSBehindAnApostropheIsAPossessiveOnlyAtTheEnd) {
  EXPECT_THAT(lexical_terms("O'Sullivan's boat"), ElementsAre("o", "sullivan", "boat"));
  EXPECT_THAT(lexical_terms("d'SOUSA M's"), ElementsAre("d", "sousa", "m"));
  EXPECT_THAT(lexical_terms("x's5 y's"), ElementsAre("x", "s5", "y"));
}

TEST(LexicalTermsTest, ASignThatEndsAWordJoinsNothing) {
  EXPECT_THAT(lexical_terms("pre- and post-war"), ElementsAre("pre", "and", "post", "postwar", "war"));
  EXPECT_THAT(lexical_terms("_private size_ -x a_b"), ElementsAre("privat", "size", "x", "a", "ab", "b"));
}

TEST(LexicalTermsTest, PairsOfUnspacedScripts) {
  EXPECT_THAT(lexical_terms("向量检索"), ElementsAre("向量", "量检", "检索", "索"));
  EXPECT_THAT(lexical_terms("量"), ElementsAre("量"));
  EXPECT_THAT(lexical_terms("がく。語"), ElementsAre("がく", "く", "語"));
  EXPECT_THAT(lexical_terms("ｶﾞｽ"), ElementsAre("ガス", "ス")) << "half-width forms meet full-width ones";
  EXPECT_THAT(lexical_terms("GPU用"), ElementsAre("gpu", "用"));
  EXPECT_THAT(lexical_terms("서울시"), ElementsAre("서울", "울시", "시"));
  EXPECT_EQ(lexical_terms("\u1109\u1165\u110b\u116e\u11af\uc2dc"), lexical_terms("서울시")) << "as macOS writes it";
  EXPECT_EQ(lexical_terms("か\u3099く"), lexical_terms("がく"));
}

TEST(LexicalTermsTest, IdentifiersWholeAndInParts) {
  EXPECT_THAT(lexical_terms("put_document"), ElementsAre("put", "putdocument", "document"));
  EXPECT_THAT(lexical_terms("Lis[t] a tar [f]ile"), ElementsAre("lis", "list", "t", "a", "tar", "f", "file", "il"));
  EXPECT_THAT(lexical_terms("E[x]tract"), ElementsAre("e", "extract", "x", "tract"));
  EXPECT_THAT(lexical_terms("see[1] or [here](there)"), ElementsAre("see", "1", "or", "here", "there"));
  EXPECT_THAT(lexical_terms("utf-8"), ElementsAre("utf", "utf8", "8"));
  EXPECT_THAT(lexical_terms("IndexWriter"), ElementsAre("index", "indexwriter", "writer"));
  EXPECT_THAT(lexical_terms("3.14"), ElementsAre("3", "314", "14"));
  EXPECT_THAT(lexical_terms("end. 5"), ElementsAre("end", "5"));
}

TEST(LexicalTermsTest, SignsThatStandAloneAreTerms) {
  EXPECT_THAT(lexical_terms("What does the ? operator do?"), ElementsAre("what", "doe", "the", "?", "operator", "do"));
  EXPECT_THAT(lexical_terms("Comment faire ?"), ElementsAre("comment", "fair")) << "French punctuation";
  const auto of_document = [](std::string_view text) { return lexical_terms(text, TermPurpose::kDocument); };
  EXPECT_THAT(of_document("use `?`, (`&&`) or a -> b"), ElementsAre("us", "?", "&&", "or", "a", "->", "b"));
  EXPECT_THAT(of_document("| `\\|>` | pipe |\n# Title\n- item\n+ item"),
              ElementsAre("|>", "pipe", "titl", "item", "item"));
  EXPECT_THAT(of_document("take `?`; `!`: `&&`. or `||`,"), ElementsAre("take", "?", "!", "&&", "or", "||"));
  EXPECT_THAT(of_document("Vraiment ? a = b; } else {"), ElementsAre("vraiment", "a", "b", "els"));
}

TEST(LexicalTermsTest, BoxesBeforeTasks) {
  for (const TermPurpose purpose : {TermPurpose::kDocument, TermPurpose::kQuery}) {
    const auto terms = [&](std::string_view text) { return lexical_terms(text, purpose); };
    EXPECT_THAT(terms("* [ ] call\n* [x] sow\n1. [X] go"), IsSupersetOf({"[ ]", "call", "[x]", "sow", "[x]", "go"}));
    EXPECT_THAT(terms("\u2610 call \u2611 sow \u2612"), ElementsAre("[ ]", "call", "[x]", "sow", "[x]"));
    EXPECT_THAT(terms("[ ]"), ElementsAre("[ ]"));
    EXPECT_THAT(terms("a[ ] [x]y [x [ ]b"), AllOf(Not(Contains("[ ]")), Not(Contains("[x]"))));
  }
}

TEST(LexicalTermsTest, NumbersWithoutLeadingZeros) {
  EXPECT_THAT(lexical_terms("pep-0008"), ElementsAre("pep", "pep0008", "8"));
  EXPECT_THAT(lexical_terms("007 00 10 0x01"), ElementsAre("7", "0", "10", "0x01"));
}

// Plain words take a shorter way than others; where it ends is told by the sign behind them.
TEST(LexicalTermsTest, PlainWordsAreTheTermsTheyAlwaysWere) {
  Random random(6);
  for (int i = 0; i < 2000; ++i) {
    std::string word;
    for (uint64_t n = 1 + random.below(80); n > 0; --n) word += static_cast<char>('a' + random.below(26));
    if (i % 3 == 0) word += i % 2 == 0 ? "ing" : "ies";
    const std::vector<std::string> expected = lexical_terms(word + "(B)");
    for (const std::string sign : {" ", "\n", ", ", ". ", ".", ";", ": "}) {
      EXPECT_EQ(lexical_terms(word + sign + "B"), expected) << word << sign;
    }
    EXPECT_EQ(lexical_terms(word).front(), expected.front());
  }
  EXPECT_THAT(lexical_terms("put_document well-known it's naïve e.g. x.5 ends"),
              ElementsAre("put", "putdocument", "document", "well", "wellknown", "know", "it", "naiv", "e", "g", "x",
                          "5", "end"));
}

TEST(LexicalTermsTest, TermsStandWhereTheyCameFrom) {
  const std::string text = "Der naïve IndexWriter 向量";
  for_each_term(text, TermPurpose::kDocument, [&](const LexicalTerm& term) {
    EXPECT_LT(term.byte_begin, term.byte_end);
    EXPECT_LE(term.byte_end, text.size());
    return true;
  });
  int seen = 0;
  for_each_term(text, TermPurpose::kDocument, [&](const LexicalTerm&) { return ++seen < 2; });
  EXPECT_EQ(seen, 2);
}

TEST(LexicalTermsTest, AnyBytesGiveBoundedValidTerms) {
  Random random(5);
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (uint64_t n = random.below(60); n > 0; --n) {
      if (random.below(3) == 0) {
        text += static_cast<char>(random.below(256));
      } else {
        utf8::append(text, static_cast<char32_t>(random.below(0x30000)));
      }
    }
    for (const std::string& term : lexical_terms(text)) {
      EXPECT_FALSE(term.empty());
      EXPECT_LE(term.size(), 64u);
      EXPECT_TRUE(utf8::valid(term));
    }
  }
  EXPECT_LE(lexical_terms(std::string(1'000'000, 'a')).front().size(), 64u);
}

TEST(LexicalQueryTest, PhrasesTermsAndStopWords) {
  const LexicalQuery query = parse_lexical_query("what is \"machine learning\" in “向量检索” for 猫");
  EXPECT_THAT(query.phrases, ElementsAre(ElementsAre("machin", "learn"), ElementsAre("向量", "量检", "检索")));
  std::vector<std::string> meaning;
  for (const QueryTerm& term : query.terms) {
    if (!term.stop) meaning.push_back(term.term + (term.prefix ? "*" : ""));
  }
  EXPECT_THAT(meaning, ElementsAre("猫*"));
}

TEST(LexicalQueryTest, ManyWordsAreCut) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "word" + std::to_string(i) + " ";
  EXPECT_LE(parse_lexical_query(text).terms.size(), 64u);
  EXPECT_TRUE(parse_lexical_query("").terms.empty());
}

}  // namespace
}  // namespace mneme::storage
