// Merges of symbols, against looking at every pair again after each.
#include "engine/tokenizer/merge_table.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "base/random.h"

namespace mneme::engine {
namespace {

using Pairs = std::map<std::pair<TokenId, TokenId>, MergeTable::Merge>;

std::vector<TokenId> plainly_merged(const Pairs& pairs, std::vector<TokenId> symbols) {
  while (true) {
    size_t best = symbols.size();
    MergeTable::Merge merge;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto found = pairs.find({symbols[i], symbols[i + 1]});
      if (found == pairs.end() || found->second.rank >= merge.rank) continue;
      best = i;
      merge = found->second;
    }
    if (best == symbols.size()) return symbols;
    symbols[best] = merge.merged;
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

// Merges that build on each other, of `n_letters` letters.
Pairs random_pairs(Random& random, TokenId n_letters, int n_merges) {
  Pairs pairs;
  TokenId next = n_letters;
  for (int rank = 0; rank < n_merges; ++rank) {
    const auto left = static_cast<TokenId>(random.below(static_cast<uint64_t>(next)));
    const auto right = static_cast<TokenId>(random.below(static_cast<uint64_t>(next)));
    if (pairs.try_emplace({left, right}, MergeTable::Merge{rank, next}).second) ++next;
  }
  return pairs;
}

TEST(MergeTable, WordsOfEveryLengthAreMergedAsTheyPlainlyAre) {
  Random random(13);
  for (const TokenId n_letters : {1, 2, 5}) {
    for (const int n_merges : {0, 1, 7, 60}) {
      const Pairs pairs = random_pairs(random, n_letters, n_merges);
      MergeTable table(pairs.size());
      for (const auto& [pair, merge] : pairs) table.add(pair.first, pair.second, merge);
      // Around the length from which on another way is taken.
      for (const size_t length : {0, 1, 2, 3, 17, 47, 48, 49, 50, 101, 300}) {
        std::vector<TokenId> word(length);
        for (TokenId& symbol : word) symbol = static_cast<TokenId>(random.below(static_cast<uint64_t>(n_letters)));
        std::vector<TokenId> merged = word;
        table.merge_word(merged);
        EXPECT_EQ(merged, plainly_merged(pairs, word)) << n_letters << " " << n_merges << " " << length;
      }
    }
  }
}

TEST(MergeTable, ThePairsThatWereAddedAreFoundAndNoOthers) {
  constexpr TokenId kMany = 40;
  MergeTable table(kMany * kMany);
  for (TokenId left = 0; left < kMany; ++left)
    for (TokenId right = 0; right < kMany; ++right) table.add(left, right, {left * kMany + right, left + right});
  table.add(3, 4, {0, 99});  // the first rank given keeps it
  for (TokenId left = 0; left < kMany; ++left) {
    for (TokenId right = 0; right < kMany; ++right) {
      EXPECT_EQ(table.find(left, right).rank, left * kMany + right);
      EXPECT_EQ(table.find(left, right).merged, left + right);
    }
    EXPECT_EQ(table.find(left, kMany).rank, MergeTable::kNone);
    EXPECT_EQ(table.find(kMany, left).rank, MergeTable::kNone);
  }
}

}  // namespace
}  // namespace mneme::engine
