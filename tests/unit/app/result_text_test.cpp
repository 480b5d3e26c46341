// What people read below an answer.
#include "app/output/result_text.h"

#include <gtest/gtest.h>

#include <string>

namespace mneme::app {
namespace {

rag::Answer answer_of(const std::string& text, const std::string& passage) {
  rag::Answer answer;
  answer.text = text;
  rag::Citation citation;
  citation.n = 1;
  citation.quoted = true;
  citation.source.document = "/docs/kettle.md";
  citation.source.line_start = 3;
  citation.source.line_end = 9;
  citation.source.text = passage;
  answer.citations.push_back(citation);
  return answer;
}

TEST(ResultText, SourcesShowTheLineThatTheAnswerSays) {
  const std::string passage = "## Care\n\nWipe it with a cloth.\n\n- Warranty: it is three years.\n";
  EXPECT_EQ(citations_text(answer_of("It is three years [1].", passage), 80),
            "[1] /docs/kettle.md, lines 3-9\n    … - Warranty: it is three years.\n");
  EXPECT_EQ(citations_text(answer_of("Wipe it [1].", "Wipe it with a cloth."), 80),
            "[1] /docs/kettle.md, lines 3-9\n    Wipe it with a cloth.\n");
  EXPECT_EQ(citations_text(answer_of("Something else [1].", passage), 80),
            "[1] /docs/kettle.md, lines 3-9\n    ## Care Wipe it with a cloth. - Warranty: it is three years.\n")
      << "words of its own are nowhere: the passage as it begins";
}

TEST(ResultText, WhatIsFoundIsShownFromWhereItSpeaksOfWhatWasAsked) {
  rag::SearchResult found;
  rag::Hit hit = answer_of("", "## Care\n\nWipe it.\n\n- Warranty: three years.\n").citations[0].source;
  hit.rank = 1;
  hit.excerpt_begin = 19;
  found.hits = {hit};
  EXPECT_EQ(search_text(found, 80), "1. /docs/kettle.md, lines 3-9\n   … - Warranty: three years.\n");
}

TEST(ResultText, NothingIsTheBestOfPassagesThatNothingWasQuotedFrom) {
  rag::Answer answer = answer_of("Wipe it [1].", "Wipe it with a cloth.");
  answer.reranked = 25;
  EXPECT_EQ(answer_summary(answer), "best of 25 passages, quoted without a language model");
  answer.citations.clear();
  EXPECT_EQ(answer_summary(answer), "");
}

TEST(ResultText, PassagesAreFoldedBetweenWords) {
  const std::string passage = "Wipe it with a cloth and never with anything that scratches, as steel wool does.";
  EXPECT_EQ(citations_text(answer_of("Something else [1].", passage), 32),
            "[1] /docs/kettle.md, lines 3-9\n    Wipe it with a cloth and\n    never with anything that\n"
            "    scratches, as steel wool\u2026\n");
}

}  // namespace
}  // namespace mneme::app
