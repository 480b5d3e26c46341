// The merges of byte-level BPE as a flat hash table, and the merging of one word. Threads: immutable after build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/types.h"

namespace mneme::engine {

class MergeTable {
 public:
  struct Merge {
    int32_t rank = kNone;  // lower merges first
    TokenId merged = kNoToken;
  };
  static constexpr int32_t kNone = INT32_MAX;

  explicit MergeTable(size_t n_merges);

  // The first rank given for a pair keeps it.
  void add(TokenId left, TokenId right, Merge merge);
  Merge find(TokenId left, TokenId right) const;

  // Merges symbols in place until no pair has a merge: lowest rank first, leftmost among equals. O(n log n).
  void merge_word(std::vector<TokenId>& symbols) const;

 private:
  struct Slot {
    uint64_t key = UINT64_MAX;
    Merge merge;
  };
  size_t slot_of(uint64_t key) const;
  void merge_short(std::vector<TokenId>& symbols) const;
  void merge_long(std::vector<TokenId>& symbols) const;

  std::vector<Slot> slots_;
  size_t mask_ = 0;
};

}  // namespace mneme::engine
