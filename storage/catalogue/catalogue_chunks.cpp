#include <charconv>
#include <limits>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"

namespace mneme::storage {
namespace {

const std::string kSelectChunk =
    "SELECT chunks.id, uid, document, ordinal, byte_begin, byte_end, line_begin, line_end, page, chunks.n_tokens, "
    "heading_path, text, text_hash, page_marks FROM chunks CROSS JOIN chunk_texts ON "
    "chunk_texts.chunk=coalesce(same_as, chunks.id) ";

std::string uid_text(int64_t uid) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (size_t i = 0; i < 16; ++i) text[15 - i] = kDigits[(static_cast<uint64_t>(uid) >> (4 * i)) & 15];
  return text;
}

ChunkRecord read_chunk(const Statement& row) {
  ChunkRecord record;
  record.id = row.id<ChunkId>(0);
  record.uid = uid_text(row.integer(1));
  record.document = row.id<DocumentId>(2);
  record.ordinal = static_cast<int>(row.integer(3));
  record.byte_begin = static_cast<uint64_t>(row.integer(4));
  record.byte_end = static_cast<uint64_t>(row.integer(5));
  record.line_begin = static_cast<int>(row.integer(6));
  record.line_end = static_cast<int>(row.integer(7));
  record.page = static_cast<int>(row.integer(8));
  record.n_tokens = static_cast<int>(row.integer(9));
  record.heading_path = row.string(10);
  record.text = row.string(11);
  record.text_hash = hash_from_blob(row.blob(12));
  record.page_marks = row.string(13);
  return record;
}

}  // namespace

Result<ChunkRecord> Catalogue::chunk(ChunkId chunk) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = kSelectChunk + "WHERE chunks.id=?1";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(chunk).step());
  if (!found) return not_found("the passage is gone; its document changed or was removed");
  return read_chunk(statement);
}

Result<ChunkRecord> Catalogue::chunk_by_uid(std::string_view uid) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(uid.data(), uid.data() + uid.size(), value, 16);
  if (error != std::errc() || end != uid.data() + uid.size() || uid.size() != 16) {
    return not_found("'" + std::string(uid) + "' is not the id of a passage (16 hex digits)");
  }
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = kSelectChunk + "WHERE uid=?1 ORDER BY chunks.id LIMIT 1";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(value).step());
  if (!found) return not_found("there is no passage " + std::string(uid) + "; its document changed or was removed");
  return read_chunk(statement);
}

Result<std::vector<ChunkRecord>> Catalogue::chunks(std::span<const ChunkId> chunks) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = kSelectChunk + "WHERE chunks.id=?1";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  std::vector<ChunkRecord> records;
  records.reserve(chunks.size());
  for (const ChunkId chunk : chunks) {
    statement.reset();
    MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(chunk).step());
    if (found) records.push_back(read_chunk(statement));
  }
  return records;
}

Result<std::vector<ChunkRecord>> Catalogue::document_chunks(DocumentId document, int first_ordinal, int last_ordinal) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = kSelectChunk + "WHERE document=?1 AND ordinal BETWEEN ?2 AND ?3 ORDER BY ordinal";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  statement.bind(document, first_ordinal, last_ordinal);
  std::vector<ChunkRecord> records;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return records;
    records.push_back(read_chunk(statement));
  }
}

Result<std::vector<ChunkRecord>> Catalogue::document_chunks(DocumentId document) {
  return document_chunks(document, 0, std::numeric_limits<int>::max());
}

Status Catalogue::for_each_chunk(CollectionId collection, ChunkId after,
                                 const std::function<bool(const ChunkRecord&)>& visit) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = kSelectChunk +
                                  "CROSS JOIN documents ON documents.id=chunks.document "
                                  "WHERE chunks.id>?1 AND collection=?2 ORDER BY chunks.id";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  statement.bind(after, collection);
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row || !visit(read_chunk(statement))) return {};
  }
}

Result<int64_t> Catalogue::n_chunks() {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  // Summing reads every document: at a hundred thousand of them longer than a search may take, so it is remembered.
  // Both numbers are of one state of the catalogue.
  MNEME_ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(*database, Transaction::Kind::kRead));
  MNEME_ASSIGN_OR_RETURN(const CatalogueState now, CatalogueState::read(*database));
  if (const std::optional<int64_t> known = state_->lexical_cache.n_chunks(now); known.has_value()) return *known;
  MNEME_ASSIGN_OR_RETURN(const int64_t n_chunks,
                         database->query_integer("SELECT coalesce(sum(n_chunks), 0) FROM documents"));
  state_->lexical_cache.keep_n_chunks(now, n_chunks);
  return n_chunks;
}

Result<bool> Catalogue::has_chunks(CollectionId collection) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database->prepare("SELECT 1 FROM documents WHERE collection=?1 AND n_chunks>0 LIMIT 1"));
  return statement.bind(collection).step();
}

Result<bool> Catalogue::has_text(const Hash128& text_hash) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare("SELECT 1 FROM chunks WHERE text_hash=?1 LIMIT 1"));
  return statement.bind(ByteSpan(hash_to_blob(text_hash))).step();
}

}  // namespace mneme::storage
