// What the catalogue holds as JSON and is written again.
#include "rag/saved_json.h"

#include <gtest/gtest.h>

#include <string>

namespace mneme::rag {
namespace {

TEST(SavedJsonTest, ReadsWhatWasSaved) {
  EXPECT_EQ(parse_saved_json(R"({"a":[1,{"b":null}]})").dump(), R"({"a":[1,{"b":null}]})");
  EXPECT_TRUE(parse_saved_json("{\"a\":").is_discarded());
  EXPECT_TRUE(parse_saved_json("").is_discarded());
}

// A catalogue made by hand may hold a value deeper than any stack.
TEST(SavedJsonTest, WhatNobodyNestsIsLeftOut) {
  constexpr size_t kDepth = 1'000'000;
  const std::string deep = R"({"a":1,"b":)" + std::string(kDepth, '[') + std::string(kDepth, ']') + R"(,"c":[2]})";
  const nlohmann::json read = parse_saved_json(deep);
  ASSERT_TRUE(read.is_object());
  EXPECT_EQ(read["a"], 1);
  EXPECT_EQ(read["c"].dump(), "[2]");
  const nlohmann::json copy = read;
  EXPECT_EQ(copy.dump(), read.dump());
  EXPECT_LT(read.dump().size(), 200u);
}

}  // namespace
}  // namespace mneme::rag
