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

TEST(ResultText, OfAModelsAnswerItIsSaidWhatWasReusedAndHowLongItTook) {
  rag::Answer answer;
  answer.model = "mini";
  answer.usage = {.prompt_tokens = 1024, .answer_tokens = 20, .decode_steps = 19};
  EXPECT_EQ(answer_summary(answer), "mini on cpu: 1,024 prompt tokens");
  answer.cache.chunks = 6;
  EXPECT_EQ(answer_summary(answer), "mini on cpu: 1,024 prompt tokens, 6 passages read in full");
  answer.cache.mode = rag::AnswerMode::kBlend;
  answer.cache.hits = 5;
  answer.cache.recompute_ratio = 0.154;
  answer.cache.level = "medium";
  answer.timing.ttft = 230.4;
  answer.decode_tokens_per_s = 38.6;
  EXPECT_EQ(answer_summary(answer),
            "mini on cpu: 1,024 prompt tokens, 5/6 passages from cache (blend, 15% recomputed, level medium), first "
            "word after 230 ms, 39 tokens/s")
      << "a token a step behind the first";
  answer.cache.full_layers = 1;
  answer.cache.level.reset();
  answer.usage.decode_steps = 12;
  answer.attention.kind = "pq";
  answer.reranked = 1;
  EXPECT_EQ(answer_summary(answer),
            "best of 1 passage, mini on cpu: 1,024 prompt tokens, 5/6 passages from cache (blend, 15% recomputed, "
            "first 1 layer in full), first word after 230 ms, 39 tokens/s (20 in 12 steps), attention pq");
  answer.brief = rag::BriefAnswer{.text = "nine", .n = 1, .probability = 0.9, .stated = true, .model = "reader"};
  EXPECT_EQ(answer_summary(answer), "best of 1 passage, quoted; reader read the first line");
  answer.brief->model = "";
  EXPECT_NE(answer_summary(answer).find("mini on cpu"), std::string::npos) << "brackets were read by no model";
}

TEST(ResultText, DetailsNameTimesAndScores) {
  rag::Answer answer = answer_of("Wipe it [1].", "Wipe it with a cloth.");
  EXPECT_EQ(answer_details(answer), "");
  answer.sources = answer.citations;
  answer.sources[0].source.score = 0.12345;
  answer.timing = {.retrieve = 4.04, .rerank = 1.0, .load = 2.0, .recompute = 3.0, .ttft = 25.75, .total = 30.0};
  EXPECT_EQ(answer_details(answer),
            "times: search 4.0 ms, of it second look 1.0 ms, load 2.0 ms, recompute 3.0 ms, first word 25.8 ms, all "
            "30.0 ms\npassage 1: 0.1235  /docs/kettle.md, lines 3-9\n");
  rag::SearchResult found;
  found.milliseconds = 8.0;
  found.rerank_milliseconds = 5.0;
  found.hits = {answer.sources[0].source, answer.sources[0].source};
  found.hits[1].line_end = 3;
  EXPECT_EQ(search_details(found),
            "times: search 8.0 ms\npassage 1: 0.1235  /docs/kettle.md, lines 3-9\n"
            "passage 2: 0.1235  /docs/kettle.md, line 3\n");
  found.reranked = 25;
  EXPECT_TRUE(search_details(found).starts_with(
      "times: search 8.0 ms, of it second look 5.0 ms\nlooked at twice: 25 passages\n"));
  EXPECT_EQ(search_text({}, 80), "Nothing found.\n");
}

TEST(ResultText, ARunOfIndexingIsSummedUp) {
  rag::IndexReport report;
  report.documents = 1;
  report.chunks = 2;
  report.tokens = 1500;
  report.seconds = 2.5;
  EXPECT_EQ(index_text(report), "Indexed 1 document (2 passages, about 1,500 tokens) in 2.5 s.\n");
  report.interrupted = true;
  report.unchanged = 1000;
  report.renamed = 3;
  report.removed = 4;
  report.skipped = 5;
  report.failed.resize(6);
  EXPECT_EQ(index_text(report),
            "Stopped; kept what was done: 1 document (2 passages, about 1,500 tokens) in 2.5 s; 1,000 unchanged; 3 "
            "moved; 4 removed; 5 skipped; 6 failed.\n");
}

TEST(ResultText, KeptSourcesAreALineOfMarkdownEach) {
  EXPECT_EQ(citations_markdown(answer_of("Wipe it [1].", "Wipe it with a cloth.")),
            "- [1] /docs/kettle.md, lines 3-9\n");
}

TEST(ResultText, PassagesAreFoldedBetweenWords) {
  const std::string passage = "Wipe it with a cloth and never with anything that scratches, as steel wool does.";
  EXPECT_EQ(citations_text(answer_of("Something else [1].", passage), 32),
            "[1] /docs/kettle.md, lines 3-9\n    Wipe it with a cloth and\n    never with anything that\n"
            "    scratches, as steel wool\u2026\n");
}

}  // namespace
}  // namespace mneme::app
