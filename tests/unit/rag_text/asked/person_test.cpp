#include "rag/text/asked/person.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedPerson, IsAskedForByNothingButTheName) {
  EXPECT_EQ(asked_person("Who is Queequeg?"), "Queequeg");
  EXPECT_EQ(asked_person("Who was Dr. Jekyll?"), "Dr. Jekyll");
  EXPECT_EQ(asked_person("Wer ist Karl von Moor?"), "Karl von Moor");
  EXPECT_EQ(asked_person("Qui est Fantine ?"), "Fantine");
  for (const char* question : {"", "Who is the landlord?", "Who is the Doctor?", "Who is Ann's teacher here?",
                               "who is it", "Who wrote Dracula?", "What is Rust?", "Who is responsible for Ann?"})
    EXPECT_EQ(asked_person(question), "") << question;
}

}  // namespace
}  // namespace mneme::rag
