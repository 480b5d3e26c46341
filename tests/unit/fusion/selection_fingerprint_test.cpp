// The name under which judgements of a selector are kept changes with everything that decides its rows.
#include "engine/fusion/selection_fingerprint.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace mneme::engine {
namespace {

TEST(SelectionFingerprint, IsTheSameForTheSame) {
  EXPECT_EQ(selection_fingerprint(default_selector()), selection_fingerprint(default_selector()));
  EXPECT_EQ(selection_fingerprint(default_selector()).size(), 32u);
}

TEST(SelectionFingerprint, DiffersBetweenSelectors) {
  std::set<std::string> names;
  for (const Selector& selector : selectors()) names.insert(selection_fingerprint(selector));
  EXPECT_EQ(names.size(), selectors().size());
}

TEST(SelectionFingerprint, ChangesWithEveryField) {
  const std::vector<std::pair<const char*, std::function<void(Selector&)>>> changes = {
      {"name", [](Selector& s) { s.name = "other"; }},
      {"rank", [](Selector& s) { s.rank = RankBy::kPosition; }},
      {"boundary_share", [](Selector& s) { s.boundary_share = 0.5; }},
      {"boundary_tokens", [](Selector& s) { s.boundary_tokens = 4; }},
      {"gradual", [](Selector& s) { s.gradual = true; }},
      {"look_depth", [](Selector& s) { s.look_depth = 0.5; }},
      {"look_scored", [](Selector& s) { s.look_scored = 0.25; }},
      {"look_rows", [](Selector& s) { s.look_rows = 1; }},
      {"whole_words", [](Selector& s) { s.whole_words = false; }},
      {"take_before", [](Selector& s) { s.take_before = 2; }},
      {"take_after", [](Selector& s) { s.take_after = 1; }},
      {"in_place_last", [](Selector& s) { s.in_place_last = false; }},
      {"depth", [](Selector& s) { s.depth = 1.0; }},
  };
  std::set<std::string> names{selection_fingerprint(default_selector())};
  for (const auto& [field, change] : changes) {
    Selector changed = default_selector();
    change(changed);
    EXPECT_TRUE(names.insert(selection_fingerprint(changed)).second) << field;
  }
}

}  // namespace
}  // namespace mneme::engine
