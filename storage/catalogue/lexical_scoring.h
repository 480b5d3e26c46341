// Okapi BM25 over lists of postings: the best chunks, exactly. Chunks are taken a page of neighbouring rows at a time,
// into whose sums each list adds, without merging the lists into each other (as Lucene's BooleanScorer does); their
// lengths lie beside the sums. Threads: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "storage/catalogue/chunk_lengths.h"
#include "storage/catalogue/posting_list.h"
#include "storage/catalogue/records.h"

namespace mneme::storage {

struct ScoredTerm {
  std::shared_ptr<const PostingList> postings;  // never null
  double weight = 0.0;                          // idf times what the caller thinks of the term; more than 0
  bool required = false;                        // only chunks that have it are hits
};

struct LexicalScoring {
  double k1 = 1.2;
  double b = 0.75;
  double average_length = 1.0;                  // of all chunks, in terms
  std::shared_ptr<const ChunkLengths> lengths;  // null: none are known
  // The length in terms of a chunk that `lengths` does not know.
  std::function<Result<uint32_t>(ChunkId)> length;
  // Whether a chunk may be a hit; asked of those that would.
  std::function<Result<bool>(ChunkId)> admits;
};

// Best first, ties by chunk; at most `limit`.
Result<std::vector<LexicalHit>> score_postings(std::span<const ScoredTerm> terms, const LexicalScoring& scoring,
                                               size_t limit);

}  // namespace mneme::storage
