// Reads the lexical index: the rows of terms and phrases, and how long chunks are. Threads: those of the database.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "storage/catalogue/chunk_lengths.h"
#include "storage/catalogue/fts_extension.h"
#include "storage/catalogue/lexical_query.h"
#include "storage/catalogue/records.h"

namespace mneme::storage {

// A term as FTS5 reads it.
std::string fts_term(const QueryTerm& term);

struct ReadPostings {
  std::vector<PostingRequest::Found> phrases;  // one per phrase asked for, in order
  double average_length = 0.0;                 // of all chunks, in terms; 0: none of the phrases occurs
};
// phrases: FTS5 strings (fts_string(), fts_term()). At most `most_rows` of each; with `rows`, the rows of all chunks,
// fewer of a phrase that will clearly have more (PostingRequest::rows).
Result<ReadPostings> read_postings(Database& database, std::span<const std::string> phrases, size_t most_rows,
                                   const RowRange& rows = {});

// First and last row of all chunks; both 0 where there are none.
Result<RowRange> chunk_rows(Database& database);

// In how many chunks a term occurs that has too many to be counted: from windows of rows spread over all of them.
Result<int64_t> sample_frequency(Database& database, const QueryTerm& term, const RowRange& rows);

// Terms of a chunk, title and headings included. kCorruption: the index does not know a chunk that it finds.
Result<uint32_t> chunk_length(Database& database, ChunkId chunk);
// Those of all chunks behind the last that `lengths` has.
Status read_lengths(Database& database, ChunkLengths& lengths);

}  // namespace mneme::storage
