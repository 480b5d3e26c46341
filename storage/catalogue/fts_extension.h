// What FTS5 gets from us on every connection: the tokenizer `mneme` (lexical_terms.h) and the function
// `mneme_postings`. Threads: register before the connection is used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "storage/catalogue/posting_list.h"
#include "storage/catalogue/sqlite_database.h"

namespace mneme::storage {

// Bump when the same text gives other terms: catalogues are re-indexed lexically when they open.
inline constexpr int kLexicalVersion = 7;

// In a MATCH string, a quoted string that begins with this sign holds terms as they are, one after each sign.
inline constexpr char kRawTermSign = '\x01';

// Rows [first, last]; 0, 0: not told.
struct RowRange {
  int64_t first = 0;
  int64_t last = 0;
};

// What one call of mneme_postings(lexical, ?) is asked for, bound as a pointer (type kPostingsPointer): all rows of
// each phrase of the MATCH expression. It is answered at the first row; the query needs no others (LIMIT 1), for FTS5
// then walks each phrase by itself, without the cost of a statement's row.
struct PostingRequest {
  struct Found {
    PostingList postings;
    bool whole = true;  // false: there are more, or there would be more than `most_rows`
  };
  size_t most_rows = 0;        // of each phrase
  RowRange rows;               // of the whole index: where a phrase that begins so will pass `most_rows`, it ends early
  std::vector<Found> phrases;  // filled: one per phrase, in order
  double average_length = 0;   // filled: terms of a row; 0: the expression matches nothing
};
inline constexpr const char* kPostingsPointer = "mneme-postings";

Status register_fts_extension(Database& database);

}  // namespace mneme::storage
