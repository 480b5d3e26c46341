#include "rag/text/languages/elision.h"

#include <gtest/gtest.h>

#include <vector>

namespace mneme::rag {
namespace {

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
