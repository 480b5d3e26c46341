#include "storage/catalogue/chunk_lengths.h"

#include <gtest/gtest.h>

namespace mneme::storage {
namespace {

TEST(ChunkLengths, KnowsWhatWasAdded) {
  ChunkLengths lengths;
  EXPECT_EQ(lengths.last(), ChunkId{0});
  EXPECT_EQ(lengths.page(0), nullptr);
  lengths.add(ChunkId{3}, 40);
  lengths.add(ChunkId{4095}, 41);
  lengths.add(ChunkId{4096}, 42);
  lengths.add(ChunkId{int64_t{1} << 40}, 43);
  EXPECT_EQ(lengths.of(ChunkId{3}), 40u);
  EXPECT_EQ(lengths.of(ChunkId{4}), 0u);
  EXPECT_EQ(lengths.of(ChunkId{4095}), 41u);
  EXPECT_EQ(lengths.of(ChunkId{4096}), 42u);
  EXPECT_EQ(lengths.of(ChunkId{int64_t{1} << 40}), 43u);
  EXPECT_EQ(lengths.page(2), nullptr) << "rows that nobody has take no memory";
  EXPECT_EQ((*lengths.page(1))[0], 42u);
  EXPECT_EQ(lengths.last(), ChunkId{int64_t{1} << 40});
}

TEST(ChunkLengths, WhatDoesNotFitStaysUnknown) {
  ChunkLengths lengths;
  lengths.add(ChunkId{10}, 65'535);
  lengths.add(ChunkId{11}, 65'536);
  lengths.add(ChunkId{5}, 7);
  EXPECT_EQ(lengths.of(ChunkId{10}), 65'535u);
  EXPECT_EQ(lengths.of(ChunkId{11}), 0u) << "longer than is kept";
  EXPECT_EQ(lengths.of(ChunkId{5}), 0u) << "out of order, as in a damaged table";
  EXPECT_EQ(lengths.last(), ChunkId{11});
  for (int64_t page = 1; page < 10'000; ++page) lengths.add(ChunkId{page * 4096}, 9);
  EXPECT_EQ(lengths.of(ChunkId{8'000 * 4096}), 9u);
  EXPECT_EQ(lengths.of(ChunkId{9'999 * 4096}), 0u) << "memory is bounded";
}

TEST(ChunkLengths, CopiesGrowApart) {
  ChunkLengths lengths;
  lengths.add(ChunkId{1}, 10);
  ChunkLengths later = lengths;
  EXPECT_EQ(later.page(0), lengths.page(0)) << "shared until one of them grows";
  later.add(ChunkId{2}, 20);
  EXPECT_EQ(lengths.of(ChunkId{2}), 0u);
  EXPECT_EQ(later.of(ChunkId{1}), 10u);
  EXPECT_EQ(later.of(ChunkId{2}), 20u);
}

}  // namespace
}  // namespace mneme::storage
