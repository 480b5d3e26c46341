#include "storage/catalogue/posting_reader.h"

#include <algorithm>
#include <utility>

namespace mneme::storage {
namespace {

constexpr int64_t kSampleWindows = 16;
constexpr int64_t kSampleShare = 16;  // one row in so many

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

}  // namespace

std::string fts_term(const QueryTerm& term) {
  return fts_string({term.term}) + (term.prefix ? " *" : "");
}

Result<ReadPostings> read_postings(Database& database, std::span<const std::string> phrases, size_t most_rows) {
  ReadPostings read;
  std::string match;
  for (const std::string& phrase : phrases) match += (match.empty() ? "" : " OR ") + phrase;
  PostingRequest request;
  request.most_rows = most_rows;
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

Result<int64_t> sample_frequency(Database& database, const QueryTerm& term) {
  const std::string phrase = fts_term(term);
  MNEME_ASSIGN_OR_RETURN(const int64_t first, database.query_integer("SELECT coalesce(min(id), 0) FROM chunks"));
  MNEME_ASSIGN_OR_RETURN(const int64_t last, database.query_integer("SELECT coalesce(max(id), 0) FROM chunks"));
  const int64_t stride = std::max<int64_t>(1, (last - first + 1) / kSampleWindows);
  const int64_t width = std::max<int64_t>(1, stride / kSampleShare);
  int64_t sampled = 0;
  for (int64_t window = 0; window < kSampleWindows; ++window) {
    const int64_t begin = first + window * stride + (stride - width) / 2;
    MNEME_ASSIGN_OR_RETURN(const int64_t rows, count_rows(database, phrase, begin, begin + width - 1));
    sampled += rows;
  }
  return sampled * (stride / width);
}

Result<uint32_t> chunk_length(Database& database, ChunkId chunk) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("SELECT sz FROM lexical_docsize WHERE id=?1"));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(chunk).step());
  if (!found) {
    return corruption(database.path() +
                      ": the lexical index finds a passage whose length it lacks; run `mneme verify --repair`");
  }
  return static_cast<uint32_t>(std::min<uint64_t>(sum_of_varints(statement.blob(0)), UINT32_MAX));
}

}  // namespace mneme::storage
