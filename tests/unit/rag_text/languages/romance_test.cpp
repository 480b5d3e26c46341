#include "rag/text/languages/romance.h"

#include <gtest/gtest.h>

#include "rag/text/languages/elision.h"

namespace mneme::rag {
namespace {

TEST(Romance, IsKnownByItsGrammarWordsAndMarkedLetters) {
  for (const std::string_view text : {"quand passe le plombier", "a que hora se baja la basura",
                                      "quanto costa il corso", "quem é o dono da casa", "franchise assurance école"}) {
    EXPECT_TRUE(is_romance(text)) << text;
  }
  for (const std::string_view text :
       {"when does the plumber come", "wann kommt der Klempner", "What is a pro rata fee?", "wo ist die Police"}) {
    EXPECT_FALSE(is_romance(text)) << text;
  }
}

TEST(Romance, WordsOfOneRootEndInManyWays) {
  EXPECT_TRUE(is_romance_form("passe", "passera"));
  EXPECT_TRUE(is_romance_form("alergico", "alergias"));
  EXPECT_TRUE(is_romance_form("rembourser", "remboursement"));
  EXPECT_TRUE(is_romance_form("avisar", "avisando"));
  EXPECT_FALSE(is_romance_form("loyer", "loi")) << "too little that both have";
  EXPECT_FALSE(is_romance_form("parking", "partir"));
}

TEST(Elision, WhatStandsBeforeAnApostropheSaysNothing) {
  const std::string_view text = "l\u2019assurance d'eau L 5";
  WordScanner scanner(text);
  Word word;
  std::vector<bool> elided;
  while (scanner.next(word)) elided.push_back(is_elided(text, word));
  EXPECT_EQ(elided, (std::vector<bool>{true, false, true, false, false, false}));
}

}  // namespace
}  // namespace mneme::rag
