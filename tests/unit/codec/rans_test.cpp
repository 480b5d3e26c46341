#include "engine/codec/rans.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.h"

namespace mneme::engine {
namespace {

struct Coded {
  RansTables tables;
  RansPattern pattern;
  std::vector<uint8_t> symbols;
  std::vector<std::byte> stream;
};

// Tables of falling width, symbols drawn from the table of their place.
Coded make_coded(uint64_t seed, size_t n_steps, size_t pattern_steps) {
  Random random(seed);
  Coded coded;
  std::vector<std::vector<uint8_t>> sources;
  for (int t = 0; t < 5; ++t) {
    std::vector<uint64_t> counts(1 + random.below(256));
    for (uint64_t& count : counts) count = random.below(1000) * random.below(3);
    counts[random.below(counts.size())] += 5000 * static_cast<uint64_t>(t);
    const RansFrequencies frequencies = make_rans_frequencies(counts);
    EXPECT_EQ(std::accumulate(frequencies.begin(), frequencies.end(), 0u), kRansTotal);
    EXPECT_TRUE(coded.tables.add(frequencies).ok());
    std::vector<uint8_t>& source = sources.emplace_back();
    for (int s = 0; s < 256; ++s) source.insert(source.end(), frequencies[s], static_cast<uint8_t>(s));
  }
  for (size_t i = 0; i < pattern_steps * kRansLanes; ++i)
    coded.pattern.push_back(static_cast<uint32_t>(random.below(5)));
  for (size_t n = 0; n < n_steps * kRansLanes; ++n) {
    const auto& source = sources[coded.pattern[n % coded.pattern.size()]];
    coded.symbols.push_back(source[random.below(source.size())]);
  }
  rans_encode(coded.tables, coded.pattern, coded.symbols, coded.stream);
  return coded;
}

TEST(Rans, EveryPathGivesTheSymbolsBack) {
  for (const size_t n_steps : {0, 1, 2, 3, 7, 64, 1000}) {
    for (const size_t pattern_steps : {1, 3, 8}) {
      const Coded coded = make_coded(n_steps * 10 + pattern_steps, n_steps, pattern_steps);
      for (const std::string_view path : rans_paths()) {
        std::vector<uint8_t> symbols(coded.symbols.size(), 77);
        ASSERT_TRUE(rans_decode_on(path, coded.tables, coded.pattern, coded.stream, symbols)) << path << n_steps;
        EXPECT_EQ(symbols, coded.symbols) << path;
      }
    }
  }
}

TEST(Rans, RunsOfTablesComeBackOnEveryPath) {
  for (const uint64_t seed : {1, 2, 3, 4}) {
    const Coded patterned = make_coded(seed, 4, 1);  // for its tables
    Random random(seed);
    RansRuns runs;
    std::vector<uint8_t> symbols;
    for (int i = 0; i < 40; ++i) {
      const auto table = static_cast<uint32_t>(random.below(5));
      runs.push_back({table, random.below(3) == 0 ? random.below(4) : random.below(200)});
      for (size_t n = 0; n < runs.back().count; ++n) {
        uint8_t symbol = 0;
        do symbol = static_cast<uint8_t>(random.below(256));
        while (patterned.tables.frequency(static_cast<int>(table), symbol) == 0);
        symbols.push_back(symbol);
      }
    }
    while (symbols.size() % kRansLanes != 0) {
      runs.back().count += 1;
      symbols.push_back(symbols.back());
      if (runs.back().count == 1) symbols.back() = 0;
    }
    if (patterned.tables.frequency(static_cast<int>(runs.back().table), symbols.back()) == 0) continue;
    std::vector<std::byte> stream;
    rans_encode(patterned.tables, runs, symbols, stream);
    for (const std::string_view path : rans_paths()) {
      std::vector<uint8_t> back(symbols.size(), 77);
      ASSERT_TRUE(rans_decode_on(path, patterned.tables, runs, stream, back)) << path;
      EXPECT_EQ(back, symbols) << path;
      for (size_t length = 0; length < stream.size(); length += 7) {
        EXPECT_FALSE(rans_decode_on(path, patterned.tables, runs, ByteSpan(stream).first(length), back));
      }
    }
  }
}

TEST(Rans, ComesCloseToTheEntropy) {
  RansTables tables;
  const std::vector<uint64_t> counts = {900, 50, 50};
  ASSERT_TRUE(tables.add(make_rans_frequencies(counts)).ok());
  Random random(3);
  std::vector<uint8_t> symbols(1 << 16);
  for (uint8_t& symbol : symbols) {
    const uint64_t draw = random.below(1000);
    symbol = draw < 900 ? 0 : draw < 950 ? 1 : 2;
  }
  std::vector<std::byte> stream;
  rans_encode(tables, RansPattern(kRansLanes, 0), symbols, stream);
  const double entropy = -(0.9 * std::log2(0.9) + 0.1 * std::log2(0.05));
  EXPECT_LT(static_cast<double>(stream.size()) * 8, entropy * 65536 * 1.01 + 128 * 8);
}

TEST(Rans, ACertainSymbolCostsNothing) {
  RansTables tables;
  ASSERT_TRUE(tables.add(make_rans_frequencies(std::vector<uint64_t>{0, 10})).ok());
  std::vector<std::byte> stream;
  rans_encode(tables, RansPattern(kRansLanes, 0), std::vector<uint8_t>(1 << 16, 1), stream);
  EXPECT_EQ(stream.size(), sizeof(uint32_t) * kRansLanes);
}

TEST(Rans, FrequenciesAreIntegersThatAddUp) {
  for (const auto& counts : std::vector<std::vector<uint64_t>>{{},
                                                               {0, 0},
                                                               {1},
                                                               std::vector<uint64_t>(256, 1),
                                                               {1, UINT64_MAX / 2},
                                                               {UINT64_MAX / 4, 1, UINT64_MAX / 4, 2}}) {
    const RansFrequencies frequencies = make_rans_frequencies(counts);
    EXPECT_EQ(std::accumulate(frequencies.begin(), frequencies.end(), 0u), kRansTotal);
    for (size_t s = 0; s < counts.size(); ++s)
      EXPECT_EQ(frequencies[s] > 0, counts[s] > 0 || kRansTotal == frequencies[s]);
  }
}

TEST(Rans, RefusesTablesThatDoNotAddUp) {
  RansTables tables;
  EXPECT_EQ(tables.add(RansFrequencies(256, 1)).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(tables.add(RansFrequencies(3, 1)).status().code(), StatusCode::kCorruption);
}

TEST(Rans, DamageIsFoundOrHarmlessOnEveryPath) {
  const Coded coded = make_coded(99, 40, 2);
  Random random(1);
  for (const std::string_view path : rans_paths()) {
    std::vector<uint8_t> symbols(coded.symbols.size());
    for (size_t length = 0; length < coded.stream.size(); ++length) {
      EXPECT_FALSE(rans_decode_on(path, coded.tables, coded.pattern, ByteSpan(coded.stream).first(length), symbols));
    }
    for (int round = 0; round < 2000; ++round) {
      std::vector<std::byte> damaged = coded.stream;
      damaged[random.below(damaged.size())] ^= static_cast<std::byte>(1u << random.below(8));
      // Must not crash or read outside; what passes unnoticed is caught by the chunk file's checksum.
      (void)rans_decode_on(path, coded.tables, coded.pattern, damaged, symbols);
    }
  }
}

}  // namespace
}  // namespace mneme::engine
