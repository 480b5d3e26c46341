#include "rag/answering/writing/query_rewriter.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "engine/language_model.h"
#include "rag/follow_ups/standalone_query.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"

namespace mneme::rag {
namespace {

// A model that knows nothing: what it writes cannot be trusted.
std::unique_ptr<engine::LanguageModel> babbler() {
  mneme::testing::RandomModel shape;
  shape.vocab_size = 320;
  shape.vocabulary = true;
  const std::string path = mneme::testing::write_temporary(mneme::testing::random_gguf(shape), "babbler.gguf");
  auto model = engine::LanguageModel::open(path, {.device = {.device = "cpu", .n_threads = 1}});
  std::remove(path.c_str());
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? *std::move(model) : nullptr;
}

TEST(QueryRewriter, TheRulesStandInForABabblingModel) {
  const auto model = babbler();
  ASSERT_NE(model, nullptr);
  const std::vector<Turn> history = {{"When does the Arnmouth museum open?", "At nine."}};
  const auto query = rewritten_query(*model, "And in winter?", history, never_cancelled());
  ASSERT_TRUE(query.ok()) << query.status().message();
  EXPECT_EQ(*query, standalone_query("And in winter?", history));
  EXPECT_EQ(*rewritten_query(*model, "Where is the Kelby lighthouse?", history, never_cancelled()),
            "Where is the Kelby lighthouse?")
      << "no follow-up, no model";
}

TEST(QueryRewriter, StopsWhenToldTo) {
  const auto model = babbler();
  ASSERT_NE(model, nullptr);
  CancelToken cancel;
  cancel.cancel();
  const std::vector<Turn> history = {{"When does the Arnmouth museum open?", "At nine."}};
  EXPECT_EQ(rewritten_query(*model, "And in winter?", history, cancel).status().code(), StatusCode::kCancelled);
}

}  // namespace
}  // namespace mneme::rag
