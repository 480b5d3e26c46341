#include "rag/text/asked/author.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedAuthor, WhoWroteOrSigned) {
  EXPECT_EQ(asked_authorship("Who wrote qpress?"), Authorship::kWriting);
  EXPECT_EQ(asked_authorship("Who signed the lease?"), Authorship::kSigning);
  EXPECT_EQ(asked_authorship("Wer hat den Brief unterschrieben?"), Authorship::kSigning);
  EXPECT_EQ(asked_authorship("Who trains the children?"), Authorship::kNone);
  EXPECT_EQ(asked_authorship("When was it written?"), Authorship::kNone);
}

TEST(AskedAuthor, WhoAndWhen) {
  EXPECT_TRUE(asks_who_wrote("Who wrote the survey?"));
  EXPECT_TRUE(asks_who_wrote("Who is the author of the survey?"));
  EXPECT_FALSE(asks_who_wrote("Who is the chair of the club?"));
  EXPECT_TRUE(asks_when_written("When was the survey written?"));
  EXPECT_TRUE(asks_when_written("Wann wurde der Bericht geschrieben?"));
  EXPECT_FALSE(asks_when_written("When was the bridge built?"));
}

TEST(AskedAuthor, IsToldInSoManyWords) {
  EXPECT_TRUE(tells_authorship("Written by Ines Hallberg.", Authorship::kWriting));
  EXPECT_TRUE(tells_authorship("Authors: T. Abara", Authorship::kWriting));
  EXPECT_TRUE(tells_authorship("Signed: Astrid Moe", Authorship::kSigning));
  EXPECT_TRUE(tells_authorship("Mit freundlichen Grüßen", Authorship::kSigning));
  EXPECT_FALSE(tells_authorship("TIDEMARK(1) General Commands TIDEMARK(1)", Authorship::kWriting));
  EXPECT_FALSE(tells_authorship("The contract is made by two firms.", Authorship::kSigning));
}

}  // namespace
}  // namespace mneme::rag
