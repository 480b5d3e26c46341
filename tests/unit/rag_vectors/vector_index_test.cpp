#include "rag/vectors/vector_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>
#include <thread>

#include "base/random.h"
#include "rag/vectors/hnsw_graph.h"
#include "rag/vectors/int8_dot.h"

namespace mneme::rag {
namespace {

std::vector<float> unit_vector(Random& random, int dim) {
  std::vector<float> v(static_cast<size_t>(dim));
  double norm = 0;
  for (float& x : v) {
    x = random.gaussian();
    norm += double{x} * x;
  }
  for (float& x : v) x = static_cast<float>(x / std::sqrt(norm));
  return v;
}

// Vectors in clusters, as texts are; pure noise has no neighbours worth finding.
std::vector<std::vector<float>> clustered(Random& random, int n, int dim, int n_clusters) {
  std::vector<std::vector<float>> centres;
  for (int i = 0; i < n_clusters; ++i) centres.push_back(unit_vector(random, dim));
  std::vector<std::vector<float>> vectors;
  for (int i = 0; i < n; ++i) {
    std::vector<float> v = centres[random.below(centres.size())];
    double norm = 0;
    for (float& x : v) {
      x += 0.08f * random.gaussian();
      norm += double{x} * x;
    }
    for (float& x : v) x = static_cast<float>(x / std::sqrt(norm));
    vectors.push_back(std::move(v));
  }
  return vectors;
}

TEST(Int8Dot, RowsTogetherGiveTheSumsOfEach) {
  Random random(2);
  for (const size_t n : {1u, 15u, 16u, 33u, 64u, 256u, 300u}) {
    for (const size_t n_rows : {0u, 1u, 3u, 4u, 7u, 64u}) {
      std::vector<int8_t> rows(n * n_rows);
      std::vector<int16_t> q(n);
      for (int8_t& x : rows) x = static_cast<int8_t>(static_cast<int>(random.below(255)) - 127);
      for (int16_t& x : q) x = static_cast<int16_t>(static_cast<int>(random.below(16383)) - 8191);
      std::vector<int32_t> plain(n_rows);
      int8_dot_detail::dot_int16_rows_portable(q.data(), rows.data(), n_rows, n, plain.data());
      for (size_t r = 0; r < n_rows; ++r) EXPECT_EQ(plain[r], dot_int16_int8(q.data(), rows.data() + r * n, n));
      std::vector<int32_t> dots(n_rows);
      dot_int16_rows(q.data(), rows.data(), n_rows, n, dots.data());
      EXPECT_EQ(dots, plain) << n << " by " << n_rows;
      if (!int8_dot_detail::has_avx2()) continue;
      int8_dot_detail::dot_int16_rows_avx2(q.data(), rows.data(), n_rows, n, dots.data());
      EXPECT_EQ(dots, plain) << n << " by " << n_rows;
    }
  }
}

TEST(Int8Dot, EveryInstructionSetGivesTheSameSum) {
  Random random(1);
  for (const size_t n : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 33u, 255u, 256u, 2048u}) {
    std::vector<int8_t> a(n), b(n);
    std::vector<int16_t> q(n);
    for (size_t i = 0; i < n; ++i) {
      a[i] = static_cast<int8_t>(static_cast<int>(random.below(255)) - 127);
      b[i] = static_cast<int8_t>(static_cast<int>(random.below(255)) - 127);
      q[i] = static_cast<int16_t>(static_cast<int>(random.below(16383)) - 8191);
    }
    const int32_t plain = int8_dot_detail::dot_int8_portable(a.data(), b.data(), n);
    const int32_t wide = int8_dot_detail::dot_int16_int8_portable(q.data(), b.data(), n);
    EXPECT_EQ(dot_int8(a.data(), b.data(), n), plain);
    EXPECT_EQ(dot_int16_int8(q.data(), b.data(), n), wide);
    if (int8_dot_detail::has_avx2()) {
      EXPECT_EQ(int8_dot_detail::dot_int8_avx2(a.data(), b.data(), n), plain);
      EXPECT_EQ(int8_dot_detail::dot_int16_int8_avx2(q.data(), b.data(), n), wide);
    }
  }
}

TEST(VectorStore, KeepsSimilaritiesAndSurvivesOddInput) {
  Random random(2);
  VectorStore store(96);
  const std::vector<float> a = unit_vector(random, 96);
  const std::vector<float> zero(96);
  std::vector<float> odd(96, NAN);
  odd[3] = 1.0f;
  odd[4] = INFINITY;
  ASSERT_TRUE(store.append(1, a));
  ASSERT_TRUE(store.append(2, zero));
  ASSERT_TRUE(store.append(3, odd));
  EXPECT_NEAR(store.similarity(quantise_query(a), 0), 1.0f, 0.01f);
  EXPECT_EQ(store.similarity(quantise_query(a), 1), 0.0f);
  EXPECT_TRUE(std::isfinite(store.similarity(quantise_query(odd), 2)));
}

TEST(VectorIndex, FindsTheNearestExactly) {
  Random random(3);
  VectorIndex index(64);
  const auto vectors = clustered(random, 500, 64, 20);
  for (size_t i = 0; i < vectors.size(); ++i) ASSERT_TRUE(index.add(static_cast<int64_t>(10 * i + 5), vectors[i]));
  for (size_t i = 0; i < vectors.size(); i += 37) {
    const auto hits = index.search(vectors[i], 3);
    ASSERT_EQ(hits.size(), 3u);
    EXPECT_EQ(hits[0].key, static_cast<int64_t>(10 * i + 5));
    EXPECT_GE(hits[0].similarity, hits[1].similarity);
  }
  EXPECT_EQ(index.max_key(), 10 * 499 + 5);
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

TEST(VectorIndex, SimilaritiesAreDotProducts) {
  Random random(11);
  for (const int dim : {1, 7, 64, 300, 2048}) {
    VectorIndex index(dim, 100);
    VectorStore store(dim);
    std::vector<std::vector<float>> vectors;
    for (int64_t key = 0; key < 200; ++key) {
      vectors.push_back(unit_vector(random, dim));
      for (float& x : vectors.back()) x *= 0.1f + 3 * static_cast<float>(random.uniform());
      ASSERT_TRUE(index.add(key + 1, vectors.back()));
      ASSERT_TRUE(store.append(key + 1, vectors.back()));
    }
    const std::vector<float> query = unit_vector(random, dim);
    const auto expect_dot_products = [&] {
      for (const bool exact : {true, false}) {
        const auto hits = index.search(query, 20, {}, exact);
        ASSERT_EQ(hits.size(), 20u);
        for (const VectorHit& hit : hits)
          EXPECT_NEAR(hit.similarity, dot(query, vectors[static_cast<size_t>(hit.key - 1)]), 0.03) << dim;
      }
    };
    expect_dot_products();
    std::vector<float> all;
    for (uint32_t row = 0; row < store.size(); ++row) all.push_back(store.similarity(quantise_query(query), row));
    std::sort(all.begin(), all.end(), std::greater<>());
    const auto best = index.search(query, 20, {}, true);
    for (size_t i = 0; i < best.size(); ++i) EXPECT_EQ(best[i].similarity, all[i]) << dim << ", place " << i;
    const uint64_t without_graph = index.memory_bytes();
    EXPECT_GE(without_graph, uint64_t{200} * static_cast<uint64_t>(dim));
    ASSERT_TRUE(index.build_graph(1).ok());
    ASSERT_TRUE(index.has_graph());
    EXPECT_GT(index.memory_bytes(), without_graph);
    expect_dot_products();
    EXPECT_NEAR(*index.similarity(quantise_query(query), 5), dot(query, vectors[4]), 0.03);
    EXPECT_NEAR(store.similarity(3, 8), dot(vectors[3], vectors[8]), 0.1) << dim;
  }
}

TEST(VectorIndex, EqualOnesComeByKey) {
  VectorIndex index(16);
  Random random(12);
  const std::vector<float> vector = unit_vector(random, 16);
  for (int64_t key = 1; key <= 300; ++key) index.add(3 * key, vector);
  const auto hits = index.search(vector, 5);
  ASSERT_EQ(hits.size(), 5u);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(hits[i].key, 3 * static_cast<int64_t>(i + 1));
}

TEST(VectorIndex, WhatIsNotThereHasNoSimilarity) {
  VectorIndex index(8);
  Random random(13);
  for (const int64_t key : {2, 4, 6}) index.add(key, unit_vector(random, 8));
  const int64_t gone[] = {4};
  index.erase(gone);
  const QuantisedQuery query = quantise_query(unit_vector(random, 8));
  for (const int64_t key : {1, 3, 4, 5, 7}) EXPECT_FALSE(index.similarity(query, key).has_value()) << key;
  for (const int64_t key : {2, 6}) EXPECT_TRUE(index.similarity(query, key).has_value()) << key;
}

// Beyond a megabyte.
TEST(VectorIndex, LargeOnesAreWrittenAndReadPieceByPiece) {
  constexpr int kDim = 2048;
  Random random(14);
  VectorIndex index(kDim);
  const std::vector<float> vector = unit_vector(random, kDim);
  for (int64_t key = 1; key <= 1100; ++key) {
    std::vector<float> one = vector;
    one[static_cast<size_t>(key)] += 0.5f;
    ASSERT_TRUE(index.add(key, one));
  }
  size_t n_pieces = 0;
  std::vector<std::byte> bytes;
  ASSERT_TRUE(index
                  .serialise([&](ByteSpan piece) {
                    ++n_pieces;
                    bytes.insert(bytes.end(), piece.begin(), piece.end());
                    return Status();
                  })
                  .ok());
  EXPECT_GT(n_pieces, 2u);
  const auto read = VectorIndex::parse(bytes, kDim);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ((*read)->size(), 1100u);
  for (const int64_t key : {1, 510, 511, 512, 1023, 1100}) {
    std::vector<float> query(kDim);
    query[static_cast<size_t>(key)] = 1;
    EXPECT_EQ((*read)->search(query, 1)[0].key, key);
  }
  EXPECT_EQ((*read)->serialise(), bytes);
}

TEST(VectorIndex, ErasedAndRefusedKeysAreNotFound) {
  Random random(4);
  VectorIndex index(32);
  std::vector<std::vector<float>> vectors;
  for (int64_t key = 1; key <= 50; ++key) {
    vectors.push_back(unit_vector(random, 32));
    index.add(key, vectors.back());
  }
  const int64_t gone[] = {7, 999};
  index.erase(gone);
  EXPECT_EQ(index.size(), 49u);
  EXPECT_EQ(index.n_rows(), 50u);
  EXPECT_NE(index.search(vectors[6], 1)[0].key, 7);
  const auto odd = index.search(vectors[0], 10, [](int64_t key) { return key % 2 == 1; });
  EXPECT_EQ(odd.size(), 10u);
  for (const VectorHit& hit : odd) EXPECT_EQ(hit.key % 2, 1);
  EXPECT_TRUE(index.search(vectors[0], 0).empty());
}

TEST(VectorIndex, BytesRoundTripAndDamageIsRefused) {
  Random random(5);
  VectorIndex index(16);
  for (int64_t key = 1; key <= 40; ++key) index.add(key, unit_vector(random, 16));
  const int64_t gone[] = {3};
  index.erase(gone);
  const std::vector<std::byte> bytes = index.serialise();
  const auto parsed = VectorIndex::parse(bytes, 16);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ((*parsed)->size(), 39u);
  const std::vector<float> query = unit_vector(random, 16);
  const auto before = index.search(query, 5);
  const auto after = (*parsed)->search(query, 5);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(before[i].key, after[i].key);

  EXPECT_FALSE(VectorIndex::parse(bytes, 17).ok());
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(VectorIndex::parse(longer, 16).ok());
  const auto with = [&](size_t at, auto value) {
    std::vector<std::byte> bad = bytes;
    std::memcpy(bad.data() + at, &value, sizeof value);
    return VectorIndex::parse(bad, 16).ok();
  };
  constexpr size_t kSecond = 4 + 13 + 16;  // behind the count and the first row: key, scale, mark, values
  EXPECT_TRUE(with(kSecond, int64_t{2}));
  EXPECT_FALSE(with(kSecond, int64_t{1})) << "keys ascend";
  EXPECT_FALSE(with(4, int64_t{0}));
  for (const float scale : {-1.0f, 1e6f, NAN, INFINITY}) EXPECT_FALSE(with(kSecond + 8, scale)) << scale;
  for (size_t length = 0; length < bytes.size(); length += 7) {
    EXPECT_FALSE(VectorIndex::parse(ByteSpan(bytes).first(length), 16).ok()) << length;
  }
}

// As beyond kExactLimit: most rows in the graph, some behind it, some erased, a filter that few pass.
TEST(VectorIndex, SearchesByAGraphAndScansWhatItLacks) {
  Random random(8);
  constexpr int kDim = 48;
  const auto vectors = clustered(random, 3300, kDim, 60);
  VectorIndex index(kDim, 2000);
  const auto add = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) ASSERT_TRUE(index.add(static_cast<int64_t>(i + 1), vectors[i]));
  };
  add(0, 2000);
  ASSERT_TRUE(index.build_graph(2).ok());
  EXPECT_FALSE(index.has_graph());  // so few are scanned
  add(2000, 3000);
  ASSERT_TRUE(index.build_graph(2).ok());
  EXPECT_TRUE(index.has_graph());
  add(3000, 3300);
  EXPECT_FALSE(index.wants_graph());  // a few rows behind it are scanned
  std::vector<int64_t> gone;
  for (int64_t key = 5; key <= 3300; key += 10) gone.push_back(key);
  index.erase(gone);
  const auto saved = VectorIndex::parse(index.serialise(), kDim, 2000);
  ASSERT_TRUE(saved.ok());
  EXPECT_TRUE((*saved)->has_graph());

  const auto rare = [](int64_t key) { return key % 700 == 1; };
  int found = 0;
  int behind = 0;
  for (size_t q = 0; q < vectors.size(); q += 33) {
    std::set<int64_t> exact;
    for (const VectorHit& hit : index.search(vectors[q], 10, {}, true)) exact.insert(hit.key);
    const auto hits = index.search(vectors[q], 10);
    const auto again = (*saved)->search(vectors[q], 10);
    ASSERT_EQ(hits.size(), 10u);
    ASSERT_EQ(again.size(), 10u);
    for (size_t i = 0; i < 10; ++i) {
      found += exact.contains(hits[i].key) ? 1 : 0;
      behind += hits[i].key > 3000 ? 1 : 0;
      EXPECT_NE(hits[i].key % 10, 5);
      EXPECT_EQ(hits[i].key, again[i].key);
    }
    EXPECT_EQ(index.search(vectors[q], 3, rare)[0].key, index.search(vectors[q], 3, rare, true)[0].key);
  }
  EXPECT_GE(found, 980);  // of 1,000: recall@10 >= 0.98
  EXPECT_GT(behind, 0);
}

TEST(VectorIndex, IsSearchedWhileItsGraphIsBuilt) {
  Random random(9);
  constexpr int kDim = 32;
  const auto vectors = clustered(random, 4000, kDim, 40);
  VectorIndex index(kDim, 100);
  for (size_t i = 0; i < vectors.size(); ++i) index.add(static_cast<int64_t>(i + 1), vectors[i]);
  std::thread builder([&] { EXPECT_TRUE(index.build_graph(1).ok()); });
  size_t searches = 0;
  do {
    const auto hits = index.search(vectors[searches % vectors.size()], 1);
    ASSERT_EQ(hits.size(), 1u);
    ++searches;
  } while (!index.has_graph());
  builder.join();
}

// The graph by itself, small, so that the test is quick.
TEST(HnswGraph, AgreesWithTheScanAndSurvivesSaving) {
  Random random(6);
  VectorStore store(48);
  const auto vectors = clustered(random, 3000, 48, 60);
  for (size_t i = 0; i < vectors.size(); ++i) store.append(static_cast<int64_t>(i + 1), vectors[i]);
  HnswGraph graph(store);
  ASSERT_TRUE(graph.extend(2000, 1, never_cancelled()).ok());
  ASSERT_TRUE(graph.extend(3000, 2, never_cancelled()).ok());
  EXPECT_EQ(graph.n_rows(), 3000u);

  std::vector<std::byte> bytes;
  graph.serialise(bytes);
  ByteReader reader(bytes);
  auto parsed = HnswGraph::parse(reader, store);
  ASSERT_TRUE(parsed.ok());

  int found = 0;
  for (int q = 0; q < 50; ++q) {
    const QuantisedQuery query = quantise_query(vectors[random.below(vectors.size())]);
    std::vector<std::pair<float, uint32_t>> exact;
    for (uint32_t row = 0; row < store.size(); ++row) exact.emplace_back(-store.similarity(query, row), row);
    std::partial_sort(exact.begin(), exact.begin() + 10, exact.end());
    std::set<uint32_t> wanted;
    for (int i = 0; i < 10; ++i) wanted.insert(exact[static_cast<size_t>(i)].second);
    const auto hits = graph.search(query, 10, 128);
    const auto again = (*parsed)->search(query, 10, 128);
    for (size_t i = 0; i < 10; ++i) {
      found += wanted.contains(hits[i].row) ? 1 : 0;
      EXPECT_EQ(hits[i].row, again[i].row);
    }
  }
  EXPECT_GE(found, 490);  // recall@10 >= 0.98
}

// Each alone, and nothing else wrong.
TEST(HnswGraph, NumbersThatCannotBeAreRefused) {
  Random random(15);
  VectorStore store(8);
  for (int64_t key = 1; key <= 3; ++key) store.append(key, unit_vector(random, 8));
  HnswGraph graph(store);
  ASSERT_TRUE(graph.extend(3, 1, never_cancelled()).ok());
  std::vector<std::byte> bytes;
  graph.serialise(bytes);
  // Count, entry and levels; then for each node its row, its levels and, level by level, the rows it leads to.
  constexpr size_t kNode = 12;
  ASSERT_EQ(bytes[8], std::byte{0}) << "one level: what lies where is known";
  const auto with = [&](size_t at, auto value) {
    std::vector<std::byte> bad = bytes;
    std::memcpy(bad.data() + at, &value, sizeof value);
    ByteReader reader(bad);
    return HnswGraph::parse(reader, store).ok();
  };
  const auto row = [](uint32_t value) { return value; };
  EXPECT_TRUE(with(0, row(3)));
  EXPECT_FALSE(with(0, row(4))) << "more than there are vectors";
  EXPECT_FALSE(with(0, row(0xffffffff)));
  EXPECT_FALSE(with(4, row(3))) << "begins where there is none";
  EXPECT_FALSE(with(8, row(1))) << "begins on a level that it lacks";
  EXPECT_FALSE(with(8, row(65)));
  EXPECT_FALSE(with(kNode, row(3))) << "a vector that is not there";
  EXPECT_FALSE(with(kNode, row(1))) << "one that is there twice";
  EXPECT_FALSE(with(kNode + 4, uint8_t{1})) << "a level above the highest";
  EXPECT_FALSE(with(kNode + 5, uint16_t{0xffff})) << "more links than a node has";
  EXPECT_FALSE(with(kNode + 7, row(3))) << "a link to nowhere";
  for (size_t length = 0; length < bytes.size(); ++length) {
    ByteReader reader(ByteSpan(bytes).first(length));
    EXPECT_FALSE(HnswGraph::parse(reader, store).ok()) << length;
  }
}

TEST(HnswGraph, DamagedBytesNeverCrash) {
  Random random(7);
  VectorStore store(8);
  for (int64_t key = 1; key <= 200; ++key) store.append(key, unit_vector(random, 8));
  HnswGraph graph(store);
  ASSERT_TRUE(graph.extend(200, 1, never_cancelled()).ok());
  std::vector<std::byte> bytes;
  graph.serialise(bytes);
  const QuantisedQuery query = quantise_query(unit_vector(random, 8));
  for (int round = 0; round < 300; ++round) {
    std::vector<std::byte> bad = bytes;
    for (int i = 0; i < 3; ++i) bad[random.below(bad.size())] = static_cast<std::byte>(random.below(256));
    if (round % 3 == 0) bad.resize(random.below(bad.size()));
    ByteReader reader(bad);
    const auto parsed = HnswGraph::parse(reader, store);
    if (parsed.ok()) (*parsed)->search(query, 5, 64);
  }
}

}  // namespace
}  // namespace mneme::rag
