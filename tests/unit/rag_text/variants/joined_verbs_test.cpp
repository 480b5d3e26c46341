#include "rag/text/variants/joined_verbs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mneme::rag {
namespace {

TEST(JoinedVerbs, AVerbAndItsParticleAreOneWord) {
  const auto stands_for = [](std::string_view question, std::string_view verb, std::string_view noun) {
    const std::vector<JoinedVerb> joined = joined_verbs(question);
    return std::any_of(joined.begin(), joined.end(),
                       [&](const JoinedVerb& one) { return one.verb == verb && one.noun == noun; });
  };
  EXPECT_TRUE(stands_for("who do I call when the car breaks down", "breaks", "breakdown"));
  EXPECT_TRUE(stands_for("the car broke down", "broke", "breakdown"));
  EXPECT_TRUE(stands_for("When does the rent go up?", "go", "rises"));
  EXPECT_TRUE(joined_verbs("down the road").empty());
}

}  // namespace
}  // namespace mneme::rag
