#include "rag/retrieval/hit_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;

Hit hit(int64_t row, double score, std::string text, int64_t document = 1, int ordinal = 0) {
  Hit made;
  made.chunk_row = row;
  made.score = score;
  made.text = std::move(text);
  made.document_id = document;
  made.ordinal = ordinal;
  return made;
}

std::vector<int64_t> rows(const std::vector<Hit>& hits) {
  std::vector<int64_t> found;
  for (const Hit& h : hits) found.push_back(h.chunk_row);
  return found;
}

TEST(HitSelection, DiversityPrefersWhatIsUnlike) {
  const std::vector<Hit> hits = {hit(1, 1.0, "a"), hit(2, 0.9, "a"), hit(3, 0.5, "b")};
  const auto likeness = [](const Hit& a, const Hit& b) { return a.text == b.text ? 1.0 : 0.0; };
  EXPECT_THAT(rows(choose_diverse(hits, 0.0, 2, likeness)), ElementsAre(1, 2));
  EXPECT_THAT(rows(choose_diverse(hits, 0.5, 2, likeness)), ElementsAre(1, 3));
  EXPECT_THAT(rows(choose_diverse(hits, 0.5, 9, likeness)), ElementsAre(1, 3, 2));
  EXPECT_TRUE(choose_diverse({}, 0.5, 2, likeness).empty());
  EXPECT_TRUE(choose_diverse(hits, 0.5, 0, likeness).empty());
}

TEST(HitSelection, NeighboursAreJoinedInOrder) {
  std::vector<Hit> hits = {hit(1, 4, "", 7, 5), hit(2, 3, "", 8, 5), hit(3, 2, "", 7, 4), hit(4, 1, "", 7, 6),
                           hit(5, 0, "", 7, 9)};
  join_neighbours(hits);
  EXPECT_THAT(rows(hits), ElementsAre(3, 1, 4, 2, 5));
}

}  // namespace
}  // namespace mneme::rag
