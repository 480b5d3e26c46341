#include "rag/indexing/index_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Paths of what is taken for gone, of documents that a walk did not find.
std::vector<std::string> missing(const std::vector<WalkProblem>& problems, const std::vector<std::string>& documents) {
  WalkResult walk;
  walk.problems = problems;
  std::vector<storage::DocumentState> states;
  for (const std::string& path : documents) states.emplace_back().path = path;
  std::vector<std::string> paths;
  for (const storage::DocumentState& state : plan_index(walk, states).missing) paths.push_back(state.path);
  return paths;
}

TEST(IndexPlan, WhatLiesInFoldersThatCouldNotBeListedStays) {
  const WalkProblem hidden{"/docs/a", "cannot list it", true};
  EXPECT_THAT(missing({hidden}, {"/docs/a", "/docs/a!/in.md", "/docs/a/b.md", "/docs/a/c/d.zip!/e.md"}), IsEmpty());
  const std::vector<std::string> others = {"/docs/a.md", "/docs/ab/c.md", "/docs/b/docs/a/c.md", "/e.md"};
  EXPECT_EQ(missing({hidden}, others), others);
  EXPECT_THAT(missing({hidden, {"/docs/b", "cannot list it", true}}, {"/docs/a/b.md", "/docs/b/c.md", "/docs/c/d.md"}),
              ElementsAre("/docs/c/d.md"));
  EXPECT_THAT(missing({{"/", "cannot list it", true}}, others), IsEmpty());
}

TEST(IndexPlan, WhatIsWrongWithAFileHidesNothing) {
  EXPECT_THAT(missing({{"/docs/a", "is a pipe", false}}, {"/docs/a/b.md"}), ElementsAre("/docs/a/b.md"));
}

}  // namespace
}  // namespace mneme::rag
