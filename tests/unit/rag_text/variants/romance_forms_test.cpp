#include "rag/text/variants/romance_forms.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(RomanceForms, WordsOfOneRootEndInManyWays) {
  EXPECT_TRUE(is_romance_form("passe", "passera"));
  EXPECT_TRUE(is_romance_form("alergico", "alergias"));
  EXPECT_TRUE(is_romance_form("rembourser", "remboursement"));
  EXPECT_TRUE(is_romance_form("avisar", "avisando"));
  EXPECT_FALSE(is_romance_form("loyer", "loi")) << "too little that both have";
  EXPECT_FALSE(is_romance_form("parking", "partir"));
}

}  // namespace
}  // namespace mneme::rag
