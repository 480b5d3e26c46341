// What is too large is refused before it is loaded, with what would fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/language_model.h"

namespace mneme::integration {
namespace {

TEST(LimitsTest, AContextThatDoesNotFitIsRefusedWithWhatWould) {
  engine::ModelOptions options{.device = {.device = "cpu", .n_threads = 1}};
  options.context_tokens = 1 << 30;  // hundreds of gigabytes of KV even for the tiny model
  const auto refused = engine::LanguageModel::open(MNEME_TEST_DATA "/tiny.gguf", options);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), StatusCode::kResource);
  EXPECT_THAT(refused.status().message(), ::testing::HasSubstr("at most "));
  options.context_tokens = 512;
  EXPECT_TRUE(engine::LanguageModel::open(MNEME_TEST_DATA "/tiny.gguf", options).ok());
}

}  // namespace
}  // namespace mneme::integration
