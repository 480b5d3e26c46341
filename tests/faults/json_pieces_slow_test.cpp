// JSON is taken apart in destructors, which must not fail: without any memory they do not either.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "tests/faults/interpose.h"

namespace mneme::faults {
namespace {

TEST(AllocationTest, TakingJsonApartAsksForNothing) {
  const int64_t before = live_allocations();
  std::optional<nlohmann::json> value(nlohmann::json::parse(
      R"({"answer": {"citations": [{"n": 1, "spans": [[0, 4], [9, 12]]}, {"n": 2, "spans": []}], "text": "a text of some length"},
          "turns": [[], {}, [[["deep"]]], null]})"));
  arm(Fault::kAllocationsAll, 0);
  value.reset();
  EXPECT_EQ(disarm(), 0);
  EXPECT_FALSE(fired());
  EXPECT_EQ(live_allocations(), before);
}

}  // namespace
}  // namespace mneme::faults
