#include "storage/salvage/salvaged_state.h"

#include <set>
#include <utility>

#include "base/hash.h"
#include "base/wall_clock.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/shared_texts.h"

namespace mneme::storage {
namespace {

Result<std::vector<int64_t>> all_integers(Database& database, const char* sql) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare(sql));
  std::vector<int64_t> all;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return all;
    all.push_back(statement.integer(0));
  }
}

// Folders and documents of a collection are worth more than its name.
Status name_lost_collections(Database& database) {
  MNEME_ASSIGN_OR_RETURN(
      const std::vector<int64_t> ids,
      all_integers(database,
                   "SELECT collection FROM (SELECT collection FROM documents UNION SELECT collection "
                   "FROM roots) WHERE collection NOT IN (SELECT id FROM collections)"));
  for (const int64_t id : ids) {
    MNEME_ASSIGN_OR_RETURN(const int64_t is_taken,
                           database.query_integer("SELECT count(*) FROM collections WHERE name='default'"));
    const std::string name = is_taken == 0 ? "default" : "recovered " + std::to_string(id);
    MNEME_ASSIGN_OR_RETURN(
        Statement put,
        database.prepare("INSERT OR IGNORE INTO collections(id, name, revision, created_ms) VALUES(?1, ?2, ?3, ?3)"));
    MNEME_RETURN_IF_ERROR(put.bind(id, name, now_ms()).run());
  }
  return database.execute("DELETE FROM failures WHERE collection NOT IN (SELECT id FROM collections)");
}

// A chat whose row is lost is called by its first message, as a new one is.
Status restore_lost_chats(Database& database) {
  return database.execute(
      "INSERT INTO chats(id, title, settings_json, created_ms, updated_ms) "
      "SELECT first.chat, substr(replace(first.text, char(10), ' '), 1, 80), '{}', first.created_ms, newest "
      "FROM (SELECT chat, min(id) AS id, max(created_ms) AS newest FROM messages "
      "WHERE chat NOT IN (SELECT id FROM chats) GROUP BY chat) AS lost JOIN messages AS first ON first.id=lost.id");
}

// Texts and vectors of a chunk whose row is lost pass to another that shows the same text.
Status hand_on_texts_of_lost_chunks(Database& database) {
  std::vector<std::pair<int64_t, int64_t>> holders;  // with the heir of each
  {
    MNEME_ASSIGN_OR_RETURN(Statement list,
                           database.prepare("SELECT same_as, min(id) FROM chunks WHERE same_as IS NOT NULL AND same_as "
                                            "NOT IN (SELECT id FROM chunks) GROUP BY same_as"));
    while (true) {
      MNEME_ASSIGN_OR_RETURN(const bool row, list.step());
      if (!row) break;
      holders.emplace_back(list.integer(0), list.integer(1));
    }
  }
  for (const auto& [holder, heir] : holders) {
    for (const char* sql : {"UPDATE OR IGNORE chunk_texts SET chunk=?2 WHERE chunk=?1",
                            "UPDATE OR IGNORE embeddings SET chunk=?2 WHERE chunk=?1",
                            "UPDATE chunks SET same_as=nullif(?2, id) WHERE same_as=?1 AND "
                            "text_hash=(SELECT text_hash FROM chunks WHERE id=?2)"}) {
      MNEME_ASSIGN_OR_RETURN(Statement hand_on, database.prepare(sql));
      MNEME_RETURN_IF_ERROR(hand_on.bind(holder, heir).run());
    }
  }
  return {};
}

constexpr const char* kHalfDocuments =
    "SELECT document FROM chunks WHERE document NOT IN (SELECT id FROM documents) "
    "UNION SELECT document FROM chunks WHERE coalesce(same_as, id) NOT IN (SELECT chunk FROM chunk_texts) "
    "UNION SELECT id FROM documents WHERE n_chunks<>(SELECT count(*) FROM chunks WHERE document=documents.id)";

// Documents with a passage whose text is another than it was.
Status add_documents_with_other_texts(Database& database, std::set<int64_t>& half) {
  MNEME_ASSIGN_OR_RETURN(Statement list,
                         database.prepare("SELECT document, text, text_hash FROM chunks JOIN chunk_texts ON "
                                          "chunk=coalesce(same_as, chunks.id)"));
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, list.step());
    if (!row) return {};
    const bool same = list.blob(2).size() == 16 && xxh3_128(as_bytes(list.text(1))) == hash_from_blob(list.blob(2));
    if (!same) half.insert(list.integer(0));
  }
}

Status remove_half_documents(Database& database) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> found, all_integers(database, kHalfDocuments));
  std::set<int64_t> half(found.begin(), found.end());
  MNEME_RETURN_IF_ERROR(add_documents_with_other_texts(database, half));
  for (const int64_t document : half) {
    MNEME_RETURN_IF_ERROR(hand_on_shared_rows(database, static_cast<DocumentId>(document)));
    for (const char* sql : {"DELETE FROM chunks WHERE document=?1", "DELETE FROM documents WHERE id=?1"}) {
      MNEME_ASSIGN_OR_RETURN(Statement remove, database.prepare(sql));
      MNEME_RETURN_IF_ERROR(remove.bind(document).run());
    }
  }
  return {};
}

// A document whose whole text is lost still has all its passages. Of many the file is the text and nothing is kept; of
// which, nobody can tell where rows are lost. Read again, those that were sound cost little: they are found unchanged.
Status read_again_without_text(Database& database, const TreeLosses& texts) {
  if (!texts.any()) return {};
  MNEME_ASSIGN_OR_RETURN(
      const std::vector<int64_t> without,
      all_integers(database, "SELECT id FROM documents WHERE id NOT IN (SELECT document FROM document_texts)"));
  MNEME_ASSIGN_OR_RETURN(Statement mark, database.prepare("UPDATE documents SET mtime_ns=-1, size_bytes=0, "
                                                          "content_hash=zeroblob(16) WHERE id=?1"));
  for (const int64_t document : without) {
    if (texts.may_have_held(document)) MNEME_RETURN_IF_ERROR(mark.bind(document).run());
  }
  return {};
}

// What belonged to rows that are lost, or that were removed now: nothing cascades while rows may refer to none.
constexpr const char* kRemoveWhatBelongsToNothing =
    "DELETE FROM document_texts WHERE document NOT IN (SELECT id FROM documents);"
    "DELETE FROM chunk_texts WHERE chunk NOT IN (SELECT id FROM chunks WHERE same_as IS NULL);"
    "DELETE FROM embeddings WHERE chunk NOT IN (SELECT id FROM chunks) OR embedder NOT IN (SELECT id FROM embedders) "
    "OR length(vector)<>2*(SELECT dimensions FROM embedders WHERE id=embedder);";

}  // namespace

Status make_consistent(Database& database, const SalvagedRows& rows) {
  MNEME_RETURN_IF_ERROR(name_lost_collections(database));
  MNEME_RETURN_IF_ERROR(restore_lost_chats(database));
  MNEME_RETURN_IF_ERROR(hand_on_texts_of_lost_chunks(database));
  const auto texts = rows.losses.find("document_texts");
  MNEME_RETURN_IF_ERROR(remove_half_documents(database));
  MNEME_RETURN_IF_ERROR(database.execute(kRemoveWhatBelongsToNothing));
  if (texts != rows.losses.end()) MNEME_RETURN_IF_ERROR(read_again_without_text(database, texts->second));
  MNEME_RETURN_IF_ERROR(remove_jobs_without_text(database));
  // Where it is not known that all that was removed has been overwritten, it has not (Catalogue::trace_of()).
  if (rows.lost_some_of("counters")) {
    MNEME_RETURN_IF_ERROR(database.execute("DELETE FROM counters WHERE name='texts.overwritten'"));
  }
  // No index file was made from this.
  MNEME_RETURN_IF_ERROR(database.execute("UPDATE collections SET revision=revision+1"));
  return database.execute("INSERT INTO lexical(lexical) VALUES('rebuild')");
}

}  // namespace mneme::storage
