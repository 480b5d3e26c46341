// Okapi BM25 over lists of postings: the best chunks, exactly, without merging the lists into each other. Chunks are
// taken in windows of neighbouring rows, into which each list adds (as Lucene's BooleanScorer does), twice: first as if
// all chunks were of average length, which tells a score that enough of them are sure to reach; then as if they had
// none, which is the most a chunk can score. Only where that comes up to the best (MaxScore: Turtle and Flood 1995) its
// length is asked for. Threads: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
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
  double average_length = 1.0;  // of all chunks, in terms
  // The length of a chunk in terms; asked of those that could come among the best alone.
  std::function<Result<uint32_t>(ChunkId)> length;
  // Whether a chunk may be a hit; asked of those that would.
  std::function<Result<bool>(ChunkId)> admits;
};

// Best first, ties by chunk; at most `limit`.
Result<std::vector<LexicalHit>> score_postings(std::span<const ScoredTerm> terms, const LexicalScoring& scoring,
                                               size_t limit);

}  // namespace mneme::storage
