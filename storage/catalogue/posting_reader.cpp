#include "storage/catalogue/posting_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mneme::storage {
namespace {

constexpr int64_t kSampleWindows = 32;
constexpr int64_t kSampleRows = 128;  // of a window

// Rows of a phrase with rowids in [first, last].
Result<int64_t> count_rows(Database& database, const std::string& phrase, int64_t first, int64_t last) {
  MNEME_ASSIGN_OR_RETURN(
      Statement statement,
      database.prepare("SELECT count(*) FROM lexical WHERE lexical MATCH ?1 AND rowid BETWEEN ?2 AND ?3"));
  MNEME_RETURN_IF_ERROR(statement.bind(phrase, first, last).step().status());
  return statement.integer(0);
}

// SQLite's variable-length integers: seven bits a byte, the highest first, a set top bit saying that more follow.
// FTS5 keeps lengths as one for each column.
uint64_t sum_of_varints(ByteSpan bytes) {
  uint64_t sum = 0;
  uint64_t value = 0;
  for (const std::byte byte : bytes) {
    const auto bits = static_cast<uint8_t>(byte);
    value = value << 7 | (bits & 0x7f);
    if ((bits & 0x80) != 0) continue;
    sum += value;
    value = 0;
  }
  return sum;
}

uint32_t length_of(ByteSpan sizes_of_columns) {
  return static_cast<uint32_t>(std::min<uint64_t>(sum_of_varints(sizes_of_columns), UINT32_MAX));
}

}  // namespace

std::string fts_term(const QueryTerm& term) {
  return fts_string({term.term}) + (term.prefix ? " *" : "");
}

Result<ReadPostings> read_postings(Database& database, std::span<const std::string> phrases, size_t most_rows,
                                   const RowRange& rows) {
  ReadPostings read;
  std::string match;
  for (const std::string& phrase : phrases) match += (match.empty() ? "" : " OR ") + phrase;
  PostingRequest request;
  request.most_rows = most_rows;
  request.rows = rows;
  if (!match.empty()) {
    MNEME_ASSIGN_OR_RETURN(
        Statement statement,
        database.prepare("SELECT mneme_postings(lexical, ?2) FROM lexical WHERE lexical MATCH ?1 LIMIT 1"));
    MNEME_RETURN_IF_ERROR(statement.bind(match).bind_pointer(2, &request, kPostingsPointer));
    MNEME_RETURN_IF_ERROR(statement.step().status());
  }
  read.phrases = std::move(request.phrases);
  read.phrases.resize(phrases.size());  // where nothing matches, nothing was asked
  read.average_length = request.average_length;
  return read;
}

Result<RowRange> chunk_rows(Database& database) {
  // Two questions, each answered by one look at an end of the table; asked as one, all of it would be read.
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database.prepare("SELECT coalesce((SELECT min(id) FROM chunks), 0), coalesce((SELECT max(id) "
                                          "FROM chunks), 0)"));
  MNEME_RETURN_IF_ERROR(statement.step().status());
  // Rows beyond hold nothing of ours; with them what is reckoned from a range would overflow.
  const auto row = [&](int column) {
    return std::clamp(statement.integer(column), int64_t{0}, static_cast<int64_t>(kLastChunk));
  };
  return RowRange{row(0), row(1)};
}

Result<int64_t> sample_frequency(Database& database, const QueryTerm& term, const RowRange& rows) {
  const std::string phrase = fts_term(term);
  const int64_t stride = std::max<int64_t>(1, (rows.last - rows.first + 1) / kSampleWindows);
  const int64_t width = std::min(stride, kSampleRows);
  int64_t sampled = 0;
  for (int64_t window = 0; window < kSampleWindows; ++window) {
    const int64_t begin = rows.first + window * stride + (stride - width) / 2;
    MNEME_ASSIGN_OR_RETURN(const int64_t counted, count_rows(database, phrase, begin, begin + width - 1));
    sampled += counted;
  }
  return std::llround(static_cast<double>(sampled) * static_cast<double>(stride) / static_cast<double>(width));
}

Result<uint32_t> chunk_length(Database& database, ChunkId chunk) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("SELECT sz FROM lexical_docsize WHERE id=?1"));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(chunk).step());
  if (!found) {
    return corruption(database.path() +
                      ": the lexical index finds a passage whose length it lacks; run `mneme verify --repair`");
  }
  return length_of(statement.blob(0));
}

Status read_lengths(Database& database, ChunkLengths& lengths) {
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database.prepare("SELECT id, sz FROM lexical_docsize WHERE id>?1 ORDER BY id"));
  statement.bind(lengths.last());
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return {};
    lengths.add(statement.id<ChunkId>(0), length_of(statement.blob(1)));
  }
}

}  // namespace mneme::storage
