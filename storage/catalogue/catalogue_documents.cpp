#include <array>
#include <cstring>

#include "base/f16.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/shared_texts.h"
#include "storage/catalogue/vector_blob.h"

namespace mneme::storage {
namespace {

constexpr const char* kSelectDocument =
    "SELECT id, collection, path, title, author, date, format, notes, size_bytes, mtime_ns, content_hash, n_chunks, "
    "text_bytes, n_tokens, indexed_ms, names, changed_ns FROM documents ";

DocumentRecord read_document(const Statement& row) {
  DocumentRecord record;
  record.id = row.id<DocumentId>(0);
  record.collection = row.id<CollectionId>(1);
  record.path = row.string(2);
  record.title = row.string(3);
  record.author = row.string(4);
  record.date = row.string(5);
  record.format = row.string(6);
  record.notes = row.string(7);
  record.file = {static_cast<uint64_t>(row.integer(8)), row.integer(9), row.integer(16)};
  record.content_hash = hash_from_blob(row.blob(10));
  record.n_chunks = row.integer(11);
  record.text_bytes = static_cast<uint64_t>(row.integer(12));
  record.n_tokens = row.integer(13);
  record.indexed_ms = row.integer(14);
  record.names = row.string(15);
  return record;
}

Result<std::vector<DocumentRecord>> read_documents(Statement& statement) {
  std::vector<DocumentRecord> records;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return records;
    records.push_back(read_document(statement));
  }
}

Status validate(const NewDocument& document) {
  if (document.record.path.empty()) return usage_error("a document needs a path");
  const EmbeddingRows& rows = document.embeddings;
  if (rows.embedder.empty()) return {};
  if (rows.dimensions <= 0 || rows.values.size() != document.chunks.size() * static_cast<size_t>(rows.dimensions)) {
    return usage_error("embeddings of " + document.record.path + " do not match its chunks");
  }
  return {};
}

// Inserts the document row or updates it in place; the id stays.
Result<DocumentId> put_row(Database& database, const NewDocument& document) {
  const DocumentRecord& record = document.record;
  uint64_t text_bytes = 0;
  int64_t n_tokens = 0;
  for (const NewChunk& chunk : document.chunks) {
    text_bytes += chunk.text.size();
    n_tokens += chunk.n_tokens;
  }
  MNEME_ASSIGN_OR_RETURN(
      Statement statement,
      database.prepare("INSERT INTO documents(collection, path, title, author, date, format, notes, size_bytes, "
                       "mtime_ns, content_hash, n_chunks, text_bytes, n_tokens, indexed_ms, names, "
                       "changed_ns) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) "
                       "ON CONFLICT(collection, path) DO UPDATE SET title=?3, author=?4, date=?5, format=?6, notes=?7, "
                       "size_bytes=?8, mtime_ns=?9, content_hash=?10, n_chunks=?11, text_bytes=?12, n_tokens=?13, "
                       "indexed_ms=?14, names=?15, changed_ns=?16 RETURNING id"));
  statement.bind(record.collection, record.path, record.title, record.author, record.date, record.format, record.notes,
                 record.file.size_bytes, record.file.mtime_ns, ByteSpan(hash_to_blob(record.content_hash)),
                 static_cast<int64_t>(document.chunks.size()), text_bytes, n_tokens, now_ms(), record.names,
                 record.file.changed_ns);
  MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
  if (!row) return Status(StatusCode::kInternal, "the document was not stored");
  const DocumentId id = statement.id<DocumentId>(0);
  MNEME_RETURN_IF_ERROR(statement.run());
  return id;
}

// As the view lexical_source has it (migrations.cpp), which the index is checked against.
std::string lexical_heading(const DocumentRecord& document, const NewChunk& chunk) {
  return document.names.empty() ? chunk.heading_path : document.names + " > " + chunk.heading_path;
}

// 64 bits that stay the same as long as the passage does.
int64_t chunk_uid(const DocumentRecord& document, int ordinal, const Hash128& text_hash) {
  Hasher128 hasher;
  hasher.add(static_cast<uint64_t>(document.collection));
  hasher.add(document.path);
  hasher.add(static_cast<uint64_t>(ordinal));
  hasher.add(text_hash.high);
  hasher.add(text_hash.low);
  return static_cast<int64_t>(hasher.finish().low);
}

Result<ChunkId> put_chunk(Database& database, DocumentId id, const DocumentRecord& document, int ordinal,
                          const NewChunk& chunk) {
  const Hash128 text_hash = xxh3_128(as_bytes(chunk.text));
  MNEME_ASSIGN_OR_RETURN(const std::optional<ChunkId> same_as, holder_of_text(database, text_hash, chunk.text));
  MNEME_ASSIGN_OR_RETURN(
      Statement insert,
      database.prepare("INSERT INTO chunks(document, ordinal, uid, byte_begin, byte_end, line_begin, line_end, page, "
                       "n_tokens, heading_path, text_hash, same_as, page_marks) "
                       "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, nullif(?12, 0), ?13)"));
  insert.bind(id, ordinal, chunk_uid(document, ordinal, text_hash), chunk.byte_begin, chunk.byte_end, chunk.line_begin,
              chunk.line_end, chunk.page, chunk.n_tokens, chunk.heading_path, ByteSpan(hash_to_blob(text_hash)),
              same_as.value_or(ChunkId{}), chunk.page_marks);
  MNEME_RETURN_IF_ERROR(insert.run());
  const auto chunk_id = static_cast<ChunkId>(database.last_insert_id());
  if (!same_as) {
    MNEME_ASSIGN_OR_RETURN(Statement text, database.prepare("INSERT INTO chunk_texts(chunk, text) VALUES(?1, ?2)"));
    MNEME_RETURN_IF_ERROR(text.bind(chunk_id, chunk.text).run());
  }
  MNEME_ASSIGN_OR_RETURN(Statement lexical,
                         database.prepare("INSERT INTO lexical(rowid, title, heading, text) VALUES(?1, ?2, ?3, ?4)"));
  MNEME_RETURN_IF_ERROR(lexical.bind(chunk_id, document.title, lexical_heading(document, chunk), chunk.text).run());
  return chunk_id;
}

Status put_text(Database& database, DocumentId document, const std::optional<std::string>& text) {
  if (!text) {
    MNEME_ASSIGN_OR_RETURN(Statement remove, database.prepare("DELETE FROM document_texts WHERE document=?1"));
    return remove.bind(document).run();
  }
  MNEME_ASSIGN_OR_RETURN(Statement put, database.prepare("INSERT INTO document_texts(document, text) VALUES(?1, ?2) "
                                                         "ON CONFLICT(document) DO UPDATE SET text=excluded.text"));
  return put.bind(document, *text).run();
}

Status drop_failure(Database& database, CollectionId collection, std::string_view path) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("DELETE FROM failures WHERE collection=?1 AND path=?2"));
  return statement.bind(collection, path).run();
}

Status put_chunks(Database& database, DocumentId id, const NewDocument& document) {
  const EmbeddingRows& rows = document.embeddings;
  std::optional<int64_t> embedder;
  if (!rows.embedder.empty() && !document.chunks.empty()) {
    MNEME_ASSIGN_OR_RETURN(embedder, ensure_embedder(database, rows.embedder, rows.dimensions));
  }
  int ordinal = 0;
  for (const NewChunk& chunk : document.chunks) {
    MNEME_ASSIGN_OR_RETURN(const ChunkId chunk_id, put_chunk(database, id, document.record, ordinal, chunk));
    if (embedder) {
      const auto n = static_cast<size_t>(rows.dimensions);
      const std::span<const float> vector(rows.values.data() + static_cast<size_t>(ordinal) * n, n);
      MNEME_RETURN_IF_ERROR(put_vector(database, chunk_id, *embedder, vector));
    }
    ++ordinal;
  }
  return {};
}

}  // namespace

Status remove_chunk_rows(Database& database, DocumentId document) {
  MNEME_RETURN_IF_ERROR(remove_lexical_rows(database, document));
  MNEME_RETURN_IF_ERROR(hand_on_shared_rows(database, document));
  {
    MNEME_ASSIGN_OR_RETURN(Statement remove, database.prepare("DELETE FROM chunks WHERE document=?1"));
    MNEME_RETURN_IF_ERROR(remove.bind(document).run());
  }
  return count_removed_text(database);
}

Status remove_document_rows(Database& database, DocumentId document) {
  MNEME_ASSIGN_OR_RETURN(const std::optional<CollectionId> collection, collection_of(database, document));
  if (!collection) return not_found("the document is gone");
  MNEME_RETURN_IF_ERROR(remove_chunk_rows(database, document));
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("DELETE FROM documents WHERE id=?1"));
  MNEME_RETURN_IF_ERROR(statement.bind(document).run());
  return bump_revision(database, *collection);
}

Result<DocumentId> Catalogue::put_document(const NewDocument& document) {
  MNEME_RETURN_IF_ERROR(validate(document));
  DocumentId id{};
  Status status = write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    {
      MNEME_ASSIGN_OR_RETURN(Statement collection, database.prepare("SELECT id FROM collections WHERE id=?1"));
      MNEME_ASSIGN_OR_RETURN(const bool is_there, collection.bind(document.record.collection).step());
      if (!is_there) return not_found("its collection was deleted meanwhile; index again");
    }
    {
      // The old rows go first, while the old title (which the lexical index must be told) is still there.
      MNEME_ASSIGN_OR_RETURN(Statement find,
                             database.prepare("SELECT id FROM documents WHERE collection=?1 AND path=?2"));
      MNEME_ASSIGN_OR_RETURN(const bool found, find.bind(document.record.collection, document.record.path).step());
      if (found) MNEME_RETURN_IF_ERROR(remove_chunk_rows(database, find.id<DocumentId>(0)));
    }
    MNEME_ASSIGN_OR_RETURN(id, put_row(database, document));
    MNEME_RETURN_IF_ERROR(put_chunks(database, id, document));
    MNEME_RETURN_IF_ERROR(put_text(database, id, document.text));
    MNEME_RETURN_IF_ERROR(drop_failure(database, document.record.collection, document.record.path));
    return bump_revision(database, document.record.collection);
  });
  MNEME_RETURN_IF_ERROR(status.with_context("storing " + document.record.path + ": "));
  return id;
}

Status Catalogue::touch_document(DocumentId document, const FileState& file) {
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(
        Statement statement,
        database.prepare("UPDATE documents SET size_bytes=?2, mtime_ns=?3, changed_ns=?4 WHERE id=?1"));
    MNEME_RETURN_IF_ERROR(statement.bind(document, file.size_bytes, file.mtime_ns, file.changed_ns).run());
    return database.changes() > 0 ? Status() : not_found("the document is gone");
  });
}

Status Catalogue::set_file_state(DocumentId document, const FileState& file, const Hash128& content_hash) {
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(
        Statement statement,
        database.prepare(
            "UPDATE documents SET size_bytes=?2, mtime_ns=?3, changed_ns=?4, content_hash=?5 WHERE id=?1"));
    statement.bind(document, file.size_bytes, file.mtime_ns, file.changed_ns, ByteSpan(hash_to_blob(content_hash)));
    MNEME_RETURN_IF_ERROR(statement.run());
    return database.changes() > 0 ? Status() : not_found("the document is gone");
  });
}

Status Catalogue::move_document(DocumentId document, std::string_view path, std::string_view names,
                                const FileState& file) {
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(const std::optional<CollectionId> collection, collection_of(database, document));
    if (!collection) return not_found("the document is gone");
    {
      MNEME_ASSIGN_OR_RETURN(Statement taken,
                             database.prepare("SELECT id FROM documents WHERE collection=?1 AND path=?2"));
      MNEME_ASSIGN_OR_RETURN(const bool found, taken.bind(*collection, path).step());
      if (found && taken.id<DocumentId>(0) != document) {
        return usage_error("there is a document at " + std::string(path) + " already");
      }
    }
    MNEME_RETURN_IF_ERROR(rename_in_index(database, document, names));
    MNEME_ASSIGN_OR_RETURN(
        Statement move,
        database.prepare("UPDATE documents SET path=?2, size_bytes=?3, mtime_ns=?4, changed_ns=?5 WHERE id=?1"));
    MNEME_RETURN_IF_ERROR(move.bind(document, path, file.size_bytes, file.mtime_ns, file.changed_ns).run());
    MNEME_RETURN_IF_ERROR(drop_failure(database, *collection, path));
    return bump_revision(database, *collection);
  });
}

Status Catalogue::remove_document(DocumentId document) {
  return write_transaction(*state_, Durability::kDerived,
                           [&](Database& database) { return remove_document_rows(database, document); });
}

Status Catalogue::remove_document_at(DocumentId document, std::string_view path) {
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    {
      MNEME_ASSIGN_OR_RETURN(Statement find, database.prepare("SELECT 1 FROM documents WHERE id=?1 AND path=?2"));
      MNEME_ASSIGN_OR_RETURN(const bool found, find.bind(document, path).step());
      if (!found) return not_found("the document is not at " + std::string(path) + " any more");
    }
    return remove_document_rows(database, document);
  });
}

Result<DocumentRecord> Catalogue::document(DocumentId document) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = std::string(kSelectDocument) + "WHERE id=?1";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(document).step());
  if (!found) {
    return not_found("there is no document " + std::to_string(static_cast<int64_t>(document)) +
                     "; `mneme document list` shows them");
  }
  return read_document(statement);
}

Result<std::optional<DocumentRecord>> Catalogue::find_document(CollectionId collection, std::string_view path) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = std::string(kSelectDocument) + "WHERE collection=?1 AND path=?2";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(collection, path).step());
  if (!found) return std::optional<DocumentRecord>();
  return std::optional<DocumentRecord>(read_document(statement));
}

std::string in_path_range(const std::string& select) {
  return select + "WHERE collection=?1 AND path=?2 UNION ALL " + select +
         "WHERE collection=?1 AND path>=?3 AND path<?4 ORDER BY path";
}

Result<std::vector<DocumentRecord>> Catalogue::list_documents(CollectionId collection, std::string_view path_prefix) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = in_path_range(kSelectDocument);
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  const PathRange range = path_range(path_prefix);
  statement.bind(collection, range.exact, range.low, range.high);
  return read_documents(statement);
}

Result<std::vector<DocumentState>> Catalogue::document_states(CollectionId collection, std::string_view path_prefix) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql =
      in_path_range("SELECT id, path, size_bytes, mtime_ns, changed_ns, content_hash FROM documents ");
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  const PathRange range = path_range(path_prefix);
  statement.bind(collection, range.exact, range.low, range.high);
  std::vector<DocumentState> states;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return states;
    const FileState file{static_cast<uint64_t>(statement.integer(2)), statement.integer(3), statement.integer(4)};
    states.push_back({statement.id<DocumentId>(0), statement.string(1), file, hash_from_blob(statement.blob(5))});
  }
}

Result<std::optional<std::string>> Catalogue::document_text(DocumentId document) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare("SELECT text FROM document_texts WHERE document=?1"));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(document).step());
  if (!found) return std::optional<std::string>();
  return std::optional<std::string>(statement.string(0));
}

Status Catalogue::record_failure(const FailureRecord& failure) {
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement,
                           database.prepare("INSERT OR REPLACE INTO failures(collection, path, size_bytes, mtime_ns, "
                                            "error, failed_ms) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"));
    return statement
        .bind(failure.collection, failure.path, failure.size_bytes, failure.mtime_ns, failure.error, now_ms())
        .run();
  });
}

Status Catalogue::clear_failure(CollectionId collection, std::string_view path) {
  return write_transaction(*state_, Durability::kDerived,
                           [&](Database& database) { return drop_failure(database, collection, path); });
}

Result<std::vector<FailureRecord>> Catalogue::failures(CollectionId collection, int64_t limit) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database->prepare("SELECT path, size_bytes, mtime_ns, error, failed_ms FROM failures "
                                           "WHERE collection=?1 ORDER BY path LIMIT ?2"));
  statement.bind(collection, limit);
  std::vector<FailureRecord> records;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return records;
    records.push_back({collection, statement.string(0), static_cast<uint64_t>(statement.integer(1)),
                       statement.integer(2), statement.string(3), statement.integer(4)});
  }
}

}  // namespace mneme::storage
