#include "rag/text/told/introduced_person.h"

#include <gtest/gtest.h>

#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

double cue(std::string_view question, std::string_view sentence) {
  std::unordered_set<std::string> asked;
  for (const std::string& word : words_of(question)) asked.insert(stem_of(word));
  return introducing_cue(sentence, asked);
}

TEST(IntroducedPerson, WhereATextSaysWhoSomebodyIs) {
  const char* who = "Who is Captain Fix?";
  EXPECT_EQ(cue(who, "Fix was a detective of the police."), 1.0);
  EXPECT_GT(cue(who, "Beside him sat Fix, the detective, and smoked."), 0.8);
  EXPECT_GT(cue(who, "The old detective, Fix, smoked."), 0.8);
  EXPECT_GT(cue(who, "There was a man named Captain Fix on board."), 0.8);
  EXPECT_GT(cue(who, "\"My name is Fix,\" he said."), 0.5);
  for (const char* sentence :
       {"Fix was tired.", "\"Well, Fix,\" said he.", "He saw Fix, and the dog barked.", "A dog barked at Fix.",
        "Fix's hat was a good one.", "Fix Miller was a baker.", "There John Fix, a baker, lived."})
    EXPECT_EQ(cue(who, sentence), 0.0) << sentence;
}

}  // namespace
}  // namespace mneme::rag
