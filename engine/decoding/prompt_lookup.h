// Guesses how a text goes on: as it did where its last tokens stood before. Answers quote their sources, so what
// followed there often follows here. "Prompt lookup decoding" [Saxena 2023], after inference with reference
// [Yang et al. 2023, 2304.04487]. Threads: one owner.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/types.h"

namespace mneme::engine {

class PromptLookup {
 public:
  // Fewer equal tokens than this are a coincidence.
  static constexpr int kMinMatch = 2;

  // What stood behind the longest run of tokens that equals the text's end; among equally long ones the latest.
  struct Guess {
    int match = 0;  // tokens of that run: 0 or kMinMatch to kMaxMatch
    // Up to the text's end; valid until add().
    std::span<const TokenId> next;
  };

  explicit PromptLookup(std::span<const TokenId> text);
  void add(TokenId token);
  Guess guess() const;

 private:
  static constexpr int kMaxMatch = 16;   // longer runs say no more
  static constexpr int kMaxPlaces = 64;  // looked at, latest first: a pair like ", and" stands everywhere

  int match_before(size_t end) const;

  std::vector<TokenId> text_;
  // Of a pair of tokens, the latest place behind which the text goes on; and for every place the one before it with the
  // same pair. A place is the index of the pair's second token.
  std::unordered_map<uint64_t, int> latest_;
  std::vector<int> earlier_;
};

}  // namespace mneme::engine
