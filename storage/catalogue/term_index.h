// What the lexical index says of terms and chunks in one state of the catalogue, remembered between questions
// (lexical_cache.h). Ownership: borrows everything. Threads: one owner.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "storage/catalogue/lexical_cache.h"
#include "storage/catalogue/lexical_query.h"
#include "storage/catalogue/posting_list.h"
#include "storage/catalogue/posting_reader.h"

namespace mneme::storage {

class TermIndex {
 public:
  static constexpr size_t kLongestList = 300'000;

  // database: within a transaction that reads `now`.
  TermIndex(Database& database, LexicalCache& cache, const CatalogueState& now)
      : database_(database), cache_(cache), now_(now) {}

  // How many chunks have each term: counted, by reading the postings, which scoring needs anyway; about from 25,000
  // chunks on estimated from a sample, which is the same whenever it is taken.
  Result<std::vector<int64_t>> frequencies(std::span<const QueryTerm> terms);

  // Of a single term or phrase, at most kLongestList; what lies beyond is left to the search by meaning. Never null.
  Result<std::shared_ptr<const PostingList>> postings(const QueryTerm& term);
  // phrase: terms side by side. Not remembered.
  Result<std::shared_ptr<const PostingList>> postings(const std::vector<std::string>& phrase);

  // Lengths of all chunks. Never null.
  Result<std::shared_ptr<const ChunkLengths>> lengths();
  // Of one that they do not know.
  Result<uint32_t> chunk_length(ChunkId chunk);
  // Of all chunks, in terms; at least 1. phrase: one of those that were read, an FTS5 string.
  Result<double> average_length(const std::string& phrase);

 private:
  Result<ReadPostings> read(std::span<const std::string> phrases, size_t most_rows, const RowRange& rows = {});
  Result<std::vector<LexicalCache::Term>> count(std::span<const QueryTerm> terms);

  Database& database_;
  LexicalCache& cache_;
  const CatalogueState now_;
};

}  // namespace mneme::storage
