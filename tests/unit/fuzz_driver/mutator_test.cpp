// Inputs for fuzz targets: the same each time, of every kind, never too long.
#include "tests/fuzz/mutator.h"

#include <gtest/gtest.h>

#include <set>

namespace mneme::fuzz {
namespace {

std::vector<std::string> inputs(const std::vector<std::string>& seeds, uint64_t number, size_t count) {
  Mutator mutator(seeds, number);
  std::vector<std::string> made;
  for (size_t i = 0; i < count; ++i) made.push_back(mutator.next(i % seeds.size()));
  return made;
}

TEST(MutatorTest, TheSameNumberMakesTheSameInputs) {
  const std::vector<std::string> seeds = {"", "key = [1, 2]", std::string(300, 'x')};
  EXPECT_EQ(inputs(seeds, 1, 500), inputs(seeds, 1, 500));
  EXPECT_NE(inputs(seeds, 1, 500), inputs(seeds, 2, 500));
}

TEST(MutatorTest, InputsDifferAndComeFromTheSeeds) {
  const std::vector<std::string> made = inputs({"abcdefghijklmnopqrstuvwxyz"}, 1, 1000);
  EXPECT_GT(std::set<std::string>(made.begin(), made.end()).size(), 800u);
  size_t longer = 0;
  size_t shorter = 0;
  size_t known = 0;  // hold a piece of the seed
  for (const std::string& bytes : made) {
    longer += bytes.size() > 26 ? 1 : 0;
    shorter += bytes.size() < 26 ? 1 : 0;
    known += bytes.find("abcd") != std::string::npos || bytes.find("wxyz") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(longer, 200u);
  EXPECT_GT(shorter, 200u);
  EXPECT_GT(known, 400u);
}

TEST(MutatorTest, SeedsAreJoined) {
  size_t joined = 0;
  for (const std::string& bytes : inputs({std::string(40, 'a'), std::string(40, 'b')}, 1, 1000)) {
    joined += bytes.find("aaaa") != std::string::npos && bytes.find("bbbb") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(joined, 100u);
}

TEST(MutatorTest, EvenNothingBecomesSomething) {
  size_t filled = 0;
  for (const std::string& bytes : inputs({""}, 1, 100)) filled += bytes.empty() ? 0 : 1;
  EXPECT_GT(filled, 50u);
}

TEST(MutatorTest, NoInputIsTooLong) {
  for (const std::string& bytes : inputs({std::string(2 * Mutator::kLongestInput, 'a')}, 1, 200)) {
    EXPECT_LE(bytes.size(), Mutator::kLongestInput);
  }
}

}  // namespace
}  // namespace mneme::fuzz
