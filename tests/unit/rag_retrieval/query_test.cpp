#include "rag/retrieval/query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;

TEST(Query, TakesFiltersOffTheText) {
  const Query query = parse_query("borrow checker path:Book type:.MD after:2024-02-29 rules");
  EXPECT_EQ(query.text, "borrow checker    rules");
  EXPECT_THAT(query.path_parts, ElementsAre("book"));
  EXPECT_THAT(query.types, ElementsAre("md"));
  ASSERT_TRUE(query.after_ns.has_value());
  EXPECT_EQ(*query.after_ns, int64_t{1709164800} * 1'000'000'000);
}

TEST(Query, WhatIsNoFilterIsText) {
  for (const char* text :
       {"after:yesterday", "path:", "type:", "a path: b", "after:2024-13-01", "xpath:a", "\"unclosed"}) {
    const Query query = parse_query(text);
    EXPECT_FALSE(query.filters()) << text;
    EXPECT_EQ(query.text, text);
  }
}

TEST(Query, WhatLooksLikeAFilterAndIsNoneIsNoted) {
  for (const char* filter : {"after:2026-99-99", "AFTER:soon", "before:noon", "type:.", "path:\"\"", "type:\"pdf"}) {
    const Query query = parse_query("borrow " + std::string(filter) + " checker");
    ASSERT_EQ(query.notes.size(), 1u) << filter;
    EXPECT_TRUE(query.notes[0].starts_with(filter)) << query.notes[0];
    EXPECT_FALSE(query.filters()) << filter;
  }
  for (const char* plain : {"what came after: peace?", "path: here", "xafter:2026-99-99", "after:2026 type:pdf"}) {
    EXPECT_TRUE(parse_query(plain).notes.empty()) << plain;
  }
}

TEST(Query, PhrasesMustOccurAsWords) {
  const Query query = parse_query("say \"the Cat sat\" please");
  EXPECT_THAT(query.phrases, ElementsAre("the cat sat"));
  EXPECT_TRUE(has_phrases(query, "... and The cat, sat!"));
  EXPECT_FALSE(has_phrases(query, "the cat satin"));
  EXPECT_TRUE(has_phrases(parse_query("\"东京大学\""), "他在东京大学读书"));
}

TEST(Query, FiltersLookAtPathTypeAndTime) {
  const Query query = parse_query("x path:\"my docs\" type:md after:2020");
  const int64_t in_2021 = *parse_date_ns("2021-01-01");
  EXPECT_TRUE(passes_filters(query, {"/home/My Docs/a.md", "markdown", in_2021}));
  EXPECT_FALSE(passes_filters(query, {"/home/docs/a.md", "markdown", in_2021}));
  EXPECT_FALSE(passes_filters(query, {"/home/my docs/a.txt", "text", in_2021}));
  EXPECT_FALSE(passes_filters(query, {"/home/my docs/a.md", "markdown", *parse_date_ns("2019-12-31")}));
  EXPECT_TRUE(passes_filters(parse_query("x type:pdf"), {"/a/b.PDF", "pdf", 0}));
  const Query markdown = parse_query("x type:md");
  for (const char* name : {"/a/b.md", "/a/b.MD", "/a/.md"})
    EXPECT_TRUE(passes_filters(markdown, {name, "text", 0})) << name;
  for (const char* name : {"/a/readmemd", "/a/md", "/a.md/b", "/a/b.mdx", "/a/b.txt"})
    EXPECT_FALSE(passes_filters(markdown, {name, "text", 0})) << name;
}

TEST(Query, BeforeEndsWhereAfterBegins) {
  const int64_t first_of_march = *parse_date_ns("2024-03-01");
  const DocumentFacts that_day{"/a.md", "markdown", first_of_march};
  EXPECT_TRUE(passes_filters(parse_query("x after:2024-03-01"), that_day));
  EXPECT_FALSE(passes_filters(parse_query("x before:2024-03-01"), that_day));
  EXPECT_TRUE(passes_filters(parse_query("x before:2024-03-01"), {"/a.md", "markdown", first_of_march - 1}));
  const Query march = parse_query("x after:2024-03 before:2024-04 before:2025");
  EXPECT_TRUE(passes_filters(march, that_day));
  EXPECT_FALSE(passes_filters(march, {"/a.md", "markdown", *parse_date_ns("2024-04-01")}));
}

TEST(Query, AMessageIsAsOldAsItSays) {
  const int64_t packed = *parse_date_ns("2026-11-01");
  const DocumentFacts message{"/mail.mbox!/message 1", "eml", packed, "2019-05-04T09:00:00Z"};
  EXPECT_TRUE(passes_filters(parse_query("x before:2020"), message));
  EXPECT_FALSE(passes_filters(parse_query("x after:2020"), message));
  EXPECT_TRUE(passes_filters(parse_query("x before:2020"), {"/a.msg", "msg", packed, "2019-05-04"}));
  EXPECT_TRUE(passes_filters(parse_query("x after:2020"), {"/a.eml", "eml", packed, ""})) << "it says nothing";
  EXPECT_TRUE(passes_filters(parse_query("x after:2020"), {"/a.docx", "docx", packed, "2019-05-04"}))
      << "a document names the day of its first version";
}

TEST(Query, DatesAreChecked) {
  EXPECT_EQ(parse_date_ns("1970-01-01"), 0);
  EXPECT_EQ(parse_date_ns("1970"), 0);
  // Nanoseconds since 1970 go no further.
  for (const char* good : {"1678", "1678-01-01", "2261", "2261-12-31"}) EXPECT_TRUE(parse_date_ns(good)) << good;
  for (const char* far : {"1677", "1677-12-31", "2262", "2262-01-01", "0"}) EXPECT_FALSE(parse_date_ns(far)) << far;
  for (const char* bad :
       {"", "-", "2024-01-01-", "2024-0-1", "2024-1-32", "2024-", "2024-02-30", "2024-01-01x", "99999", "1-1-1"}) {
    EXPECT_FALSE(parse_date_ns(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace mneme::rag
