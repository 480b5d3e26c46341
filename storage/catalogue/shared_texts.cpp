#include "storage/catalogue/shared_texts.h"

#include <vector>

#include "storage/catalogue/catalogue_state.h"

namespace mneme::storage {
namespace {

struct SharedRows {
  ChunkId holder;
  ChunkId heir;
  Hash128 text_hash;
};

// Chunks of the document whose text others show, each with the oldest of those others. Found by the hash, which has an
// index; `same_as` has none.
Result<std::vector<SharedRows>> rows_shared_with_others(Database& database, DocumentId document) {
  MNEME_ASSIGN_OR_RETURN(
      Statement statement,
      database.prepare(
          "SELECT held.id, min(other.id), held.text_hash FROM chunks AS held CROSS JOIN chunks AS other ON "
          "other.text_hash=held.text_hash AND other.same_as=held.id AND other.document<>held.document "
          "WHERE held.document=?1 AND held.same_as IS NULL GROUP BY held.id"));
  statement.bind(document);
  std::vector<SharedRows> shared;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return shared;
    shared.push_back({statement.id<ChunkId>(0), statement.id<ChunkId>(1), hash_from_blob(statement.blob(2))});
  }
}

// Where the heir has a vector of its own (another heading stands above it), the others that used the holder's get it
// as theirs; elsewhere the heir takes it for all.
Status hand_on_vectors(Database& database, const SharedRows& rows) {
  MNEME_ASSIGN_OR_RETURN(
      Statement copy,
      database.prepare("INSERT OR IGNORE INTO embeddings(chunk, embedder, vector) "
                       "SELECT other.id, held.embedder, held.vector FROM embeddings AS held "
                       "CROSS JOIN embeddings AS heirs ON heirs.chunk=?2 AND heirs.embedder=held.embedder "
                       "CROSS JOIN chunks AS other ON other.text_hash=?3 AND other.same_as=?1 "
                       "WHERE held.chunk=?1"));
  MNEME_RETURN_IF_ERROR(copy.bind(rows.holder, rows.heir, ByteSpan(hash_to_blob(rows.text_hash))).run());
  MNEME_ASSIGN_OR_RETURN(Statement move, database.prepare("UPDATE OR IGNORE embeddings SET chunk=?2 WHERE chunk=?1"));
  return move.bind(rows.holder, rows.heir).run();
}

Status hand_on_text(Database& database, const SharedRows& rows) {
  MNEME_ASSIGN_OR_RETURN(Statement move, database.prepare("UPDATE chunk_texts SET chunk=?2 WHERE chunk=?1"));
  MNEME_RETURN_IF_ERROR(move.bind(rows.holder, rows.heir).run());
  MNEME_ASSIGN_OR_RETURN(Statement tell, database.prepare("UPDATE chunks SET same_as=nullif(?2, id) "
                                                          "WHERE text_hash=?3 AND same_as=?1"));
  return tell.bind(rows.holder, rows.heir, ByteSpan(hash_to_blob(rows.text_hash))).run();
}

}  // namespace

Result<std::optional<ChunkId>> holder_of_text(Database& database, const Hash128& hash, std::string_view text) {
  MNEME_ASSIGN_OR_RETURN(Statement find, database.prepare("SELECT chunk FROM chunks CROSS JOIN chunk_texts ON "
                                                          "chunk=chunks.id WHERE text_hash=?1 AND text=?2 LIMIT 1"));
  MNEME_ASSIGN_OR_RETURN(const bool found, find.bind(ByteSpan(hash_to_blob(hash)), text).step());
  if (!found) return std::optional<ChunkId>();
  return std::optional<ChunkId>(find.id<ChunkId>(0));
}

Status hand_on_shared_rows(Database& database, DocumentId document) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<SharedRows> shared, rows_shared_with_others(database, document));
  for (const SharedRows& rows : shared) {
    MNEME_RETURN_IF_ERROR(hand_on_vectors(database, rows));
    MNEME_RETURN_IF_ERROR(hand_on_text(database, rows));
  }
  return {};
}

}  // namespace mneme::storage
