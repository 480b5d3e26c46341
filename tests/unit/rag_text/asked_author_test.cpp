#include "rag/text/asked_author.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedAuthor, WhoWroteOrSigned) {
  EXPECT_TRUE(asks_author("Who wrote qpress?"));
  EXPECT_TRUE(asks_author("Who signed the lease?"));
  EXPECT_TRUE(asks_author("Wer hat den Brief unterschrieben?"));
  EXPECT_FALSE(asks_author("Who trains the children?"));
  EXPECT_FALSE(asks_author("When was it written?"));
}

TEST(AskedAuthor, IsToldInSoManyWords) {
  for (const char* text :
       {"Written by Ines Hallberg.", "Signed: Astrid Moe", "Mit freundlichen Grüßen", "Authors: T. Abara"}) {
    EXPECT_TRUE(tells_author(text)) << text;
  }
  EXPECT_FALSE(tells_author("TIDEMARK(1) General Commands TIDEMARK(1)"));
}

}  // namespace
}  // namespace mneme::rag
