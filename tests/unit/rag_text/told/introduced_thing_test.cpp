#include "rag/text/told/introduced_thing.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_set>

#include "rag/text/told/definitions.h"
#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

double cue(std::string_view sentence) {
  const std::unordered_set<std::string> asked{stem_of("karmel")};
  return defining_cue(sentence, asked);
}

TEST(IntroducedThing, AuthorsPresentIt) {
  for (const char* sentence :
       {"We present Karmel, a language for robots.", "In this paper, we also propose Karmel, which drives robots.",
        "This article introduces *Karmel*, an approach to robots.", "Lind et al. introduced Karmel to drive robots.",
        "In diesem Artikel stellen wir Karmel vor, eine Sprache für Roboter.", "Nous présentons Karmel, un langage.",
        "Presentamos Karmel, un lenguaje para robots."})
    EXPECT_GE(cue(sentence), 0.85) << sentence;
  EXPECT_EQ(cue("We present Karmel, a language for robots."), 1.0);
  EXPECT_EQ(cue("We present Karmel."), 0.85) << "what it is, is not told";
}

TEST(IntroducedThing, WhatItIsStandsBesideIt) {
  EXPECT_GT(cue("Karmel, a small language for robots, has no loops."), 0.85);
  EXPECT_GT(cue("Karmel (a small language) has no loops."), 0.85);
  EXPECT_GT(cue("Karmel — a small language — has no loops."), 0.85);
}

TEST(IntroducedThing, WhatIsOnlyMentionedIsNotIntroduced) {
  for (const char* sentence :
       {"We present the results of Karmel.", "With Karmel, a robot turns.", "They present Karmel users with a choice.",
        "Visitors presented Karmel to the mayor.", "We presented Karmel Inc with a bill.",
        "Karmel, the robots said, works.", "We looked at Karmel, a robot ran away."})
    EXPECT_LT(cue(sentence), 0.85) << sentence;
}

}  // namespace
}  // namespace mneme::rag
