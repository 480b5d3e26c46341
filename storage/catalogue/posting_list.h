// Where a term stands, out of the lexical index and ready to be scored. Threads: values.
#pragma once

#include <cstdint>
#include <vector>

namespace mneme::storage {

// One chunk that has the term.
struct Posting {
  uint64_t chunk : 48;      // its row
  uint64_t frequency : 16;  // how often the term stands in it, in a title counted twice; at most kMostFrequent
};
static_assert(sizeof(Posting) == 8);

inline constexpr uint64_t kLastChunk = (uint64_t{1} << 48) - 1;
inline constexpr uint64_t kMostFrequent = (uint64_t{1} << 16) - 1;

using PostingList = std::vector<Posting>;  // by chunk, each once

}  // namespace mneme::storage
