// What FTS5 gets from us on every connection: the tokenizer `mneme` (lexical_terms.h) and the function `mneme_bm25`.
// Threads: register before the connection is used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "storage/catalogue/sqlite_database.h"

namespace mneme::storage {

// Bump when the same text gives other terms: catalogues are re-indexed lexically when they open.
inline constexpr int kLexicalVersion = 3;

// In a MATCH string, a quoted string that begins with this sign holds terms as they are, one after each sign.
inline constexpr char kRawTermSign = '\x01';

// Weights of one search, bound as a pointer (type kScorerPointer) to mneme_bm25(lexical, ?). One entry per phrase of
// the MATCH expression, in order. The function gives NULL for rows that cannot score above `threshold`.
struct LexicalScorer {
  std::vector<double> phrase_weights;  // idf times what the caller thinks of the term
  double column_weights[3] = {2.0, 1.0, 1.0};
  double k1 = 1.2;
  double b = 0.75;
  double threshold = 0;       // raised by the caller as its results fill up
  double average_length = 0;  // 0: asked from FTS5 at the first row
};
inline constexpr const char* kScorerPointer = "mneme-lexical-scorer";

Status register_fts_extension(Database& database);

}  // namespace mneme::storage
