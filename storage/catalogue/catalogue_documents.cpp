#include <string_view>
#include <vector>

#include "base/wall_clock.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/shared_texts.h"

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

}  // namespace

Status drop_failure(Database& database, CollectionId collection, std::string_view path) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("DELETE FROM failures WHERE collection=?1 AND path=?2"));
  return statement.bind(collection, path).run();
}

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

// In the order they lie in: one by the index of paths reads a page of the table for each.
Result<std::vector<DocumentRecord>> Catalogue::documents_of_formats(CollectionId collection,
                                                                    std::span<const std::string_view> formats,
                                                                    int limit) {
  std::string list;
  for (const std::string_view format : formats) list.append(list.empty() ? "[\"" : ",\"").append(format).append("\"");
  if (list.empty()) return std::vector<DocumentRecord>();
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql =
      std::string(kSelectDocument) +
      "NOT INDEXED WHERE collection=?1 AND format IN (SELECT value FROM json_each(?2)) LIMIT ?3";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  statement.bind(collection, list + "]", limit);
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

namespace {

constexpr const char* kSelectFailure = "SELECT path, size_bytes, mtime_ns, error, failed_ms FROM failures ";

Result<std::vector<FailureRecord>> read_failures(Statement& statement, CollectionId collection) {
  std::vector<FailureRecord> records;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return records;
    records.push_back({collection, statement.string(0), static_cast<uint64_t>(statement.integer(1)),
                       statement.integer(2), statement.string(3), statement.integer(4)});
  }
}

}  // namespace

Result<std::vector<FailureRecord>> Catalogue::failures(CollectionId collection, int64_t limit) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = std::string(kSelectFailure) + "WHERE collection=?1 ORDER BY path LIMIT ?2";
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  statement.bind(collection, limit);
  return read_failures(statement, collection);
}

std::string in_members_range(const std::string& select) {
  return select + "WHERE collection=?1 AND path>=?2 AND path<?3 ORDER BY path";
}

Result<std::vector<FailureRecord>> Catalogue::member_failures(CollectionId collection, std::string_view container) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  static const std::string kSql = in_members_range(kSelectFailure);
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare(kSql.c_str()));
  const PathRange range = path_range(std::string(container) + "!");
  statement.bind(collection, range.low, range.high);
  return read_failures(statement, collection);
}

}  // namespace mneme::storage
