// What the lexical index has of a document beside its text: the names its path gives it.
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"

namespace mneme::storage {

// The index holds no text: it must be told what to take out.
Status remove_lexical_rows(Database& database, DocumentId document) {
  MNEME_ASSIGN_OR_RETURN(Statement remove,
                         database.prepare("INSERT INTO lexical(lexical, rowid, title, heading, text) "
                                          "SELECT 'delete', id, title, heading, text FROM lexical_source "
                                          "WHERE id IN (SELECT id FROM chunks WHERE document=?1)"));
  return remove.bind(document).run();
}

Result<std::optional<CollectionId>> collection_of(Database& database, DocumentId document) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("SELECT collection FROM documents WHERE id=?1"));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(document).step());
  if (!found) return std::optional<CollectionId>();
  return std::optional<CollectionId>(statement.id<CollectionId>(0));
}

Status rename_in_index(Database& database, DocumentId document, std::string_view names) {
  {
    MNEME_ASSIGN_OR_RETURN(Statement same, database.prepare("SELECT 1 FROM documents WHERE id=?1 AND names=?2"));
    MNEME_ASSIGN_OR_RETURN(const bool is_same, same.bind(document, names).step());
    if (is_same) return {};
  }
  MNEME_RETURN_IF_ERROR(remove_lexical_rows(database, document));
  MNEME_ASSIGN_OR_RETURN(Statement rename, database.prepare("UPDATE documents SET names=?2 WHERE id=?1"));
  MNEME_RETURN_IF_ERROR(rename.bind(document, names).run());
  MNEME_ASSIGN_OR_RETURN(Statement insert, database.prepare("INSERT INTO lexical(rowid, title, heading, text) "
                                                            "SELECT id, title, heading, text FROM lexical_source "
                                                            "WHERE id IN (SELECT id FROM chunks WHERE document=?1)"));
  MNEME_RETURN_IF_ERROR(insert.bind(document).run());
  return count_removed_text(database);
}

Result<std::vector<UnnamedDocument>> Catalogue::unnamed_documents(CollectionId collection) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Statement statement, database->prepare("SELECT id, path, title FROM documents "
                                                                "WHERE collection=?1 AND names='' ORDER BY path"));
  statement.bind(collection);
  std::vector<UnnamedDocument> unnamed;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return unnamed;
    unnamed.push_back({statement.id<DocumentId>(0), statement.string(1), statement.string(2)});
  }
}

Status Catalogue::name_documents(CollectionId collection, std::span<const DocumentNames> named) {
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    for (const DocumentNames& names : named) {
      MNEME_RETURN_IF_ERROR(rename_in_index(database, names.document, names.names));
    }
    return bump_revision(database, collection);
  });
}

}  // namespace mneme::storage
