// Documents as they are put into the catalogue: rows, passages, vectors, and what the lexical index is told.
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/wall_clock.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/shared_texts.h"
#include "storage/catalogue/vector_blob.h"

namespace mneme::storage {
namespace {

Status validate(const NewDocument& document) {
  if (document.record.path.empty()) return usage_error("a document needs a path");
  const EmbeddingRows& rows = document.embeddings;
  if (rows.embedder.empty()) return {};
  if (rows.dimensions <= 0 || rows.values.size() != document.chunks.size() * static_cast<size_t>(rows.dimensions)) {
    return usage_error("embeddings of " + document.record.path + " do not match its chunks");
  }
  return {};
}

Status validate(std::span<const NewDocument* const> documents) {
  std::set<std::pair<CollectionId, std::string_view>> places;
  for (const NewDocument* document : documents) {
    MNEME_RETURN_IF_ERROR(validate(*document));
    if (!places.emplace(document->record.collection, document->record.path).second) {
      return usage_error("two documents cannot be put together at " + document->record.path);
    }
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

// Chunks and their vectors; their ids.
Result<std::vector<ChunkId>> put_chunks(Database& database, DocumentId id, const NewDocument& document) {
  const EmbeddingRows& rows = document.embeddings;
  std::optional<int64_t> embedder;
  if (!rows.embedder.empty() && !document.chunks.empty()) {
    MNEME_ASSIGN_OR_RETURN(embedder, ensure_embedder(database, rows.embedder, rows.dimensions));
  }
  std::vector<ChunkId> ids;
  ids.reserve(document.chunks.size());
  int ordinal = 0;
  for (const NewChunk& chunk : document.chunks) {
    MNEME_ASSIGN_OR_RETURN(const ChunkId chunk_id, put_chunk(database, id, document.record, ordinal, chunk));
    ids.push_back(chunk_id);
    if (embedder) {
      const auto n = static_cast<size_t>(rows.dimensions);
      const std::span<const float> vector(rows.values.data() + static_cast<size_t>(ordinal) * n, n);
      MNEME_RETURN_IF_ERROR(put_vector(database, chunk_id, *embedder, vector));
    }
    ++ordinal;
  }
  return ids;
}

// Behind all other statements of a transaction: for every other one that may fail halfway fts5 writes what it has
// gathered, a segment that is merged with others later.
Status put_lexical_rows(Database& database, const std::vector<ChunkId>& chunks, const NewDocument& document) {
  for (size_t i = 0; i < chunks.size(); ++i) {
    const NewChunk& chunk = document.chunks[i];
    MNEME_ASSIGN_OR_RETURN(Statement lexical,
                           database.prepare("INSERT INTO lexical(rowid, title, heading, text) VALUES(?1, ?2, ?3, ?4)"));
    lexical.bind(chunks[i], document.record.title, lexical_heading(document.record, chunk), chunk.text);
    MNEME_RETURN_IF_ERROR(lexical.run());
  }
  return {};
}

struct PutDocument {
  DocumentId id;
  std::vector<ChunkId> chunks;
};

// Everything of a document but its rows of the lexical index, in the caller's transaction.
Result<PutDocument> put_rows(Database& database, const NewDocument& document) {
  const DocumentRecord& record = document.record;
  {
    MNEME_ASSIGN_OR_RETURN(Statement collection, database.prepare("SELECT id FROM collections WHERE id=?1"));
    MNEME_ASSIGN_OR_RETURN(const bool is_there, collection.bind(record.collection).step());
    if (!is_there) return not_found("its collection was deleted meanwhile; index again");
  }
  {
    // The old rows go first, while the old title (which the lexical index must be told) is still there.
    MNEME_ASSIGN_OR_RETURN(Statement find,
                           database.prepare("SELECT id FROM documents WHERE collection=?1 AND path=?2"));
    MNEME_ASSIGN_OR_RETURN(const bool found, find.bind(record.collection, record.path).step());
    if (found) MNEME_RETURN_IF_ERROR(remove_chunk_rows(database, find.id<DocumentId>(0)));
  }
  PutDocument put{};
  MNEME_ASSIGN_OR_RETURN(put.id, put_row(database, document));
  MNEME_ASSIGN_OR_RETURN(put.chunks, put_chunks(database, put.id, document));
  MNEME_RETURN_IF_ERROR(put_text(database, put.id, document.text));
  MNEME_RETURN_IF_ERROR(drop_failure(database, record.collection, record.path));
  MNEME_RETURN_IF_ERROR(bump_revision(database, record.collection));
  return put;
}

}  // namespace

Result<DocumentId> Catalogue::put_document(const NewDocument& document) {
  const NewDocument* const one = &document;
  MNEME_ASSIGN_OR_RETURN(const std::vector<DocumentId> ids, put_documents({&one, 1}));
  return ids.front();
}

Result<std::vector<DocumentId>> Catalogue::put_documents(std::span<const NewDocument* const> documents) {
  MNEME_RETURN_IF_ERROR(validate(documents));
  std::vector<PutDocument> put;
  MNEME_RETURN_IF_ERROR(write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    for (const NewDocument* document : documents) {
      auto rows = put_rows(database, *document);
      MNEME_RETURN_IF_ERROR(rows.status().with_context("storing " + document->record.path + ": "));
      put.push_back(*std::move(rows));
    }
    for (size_t i = 0; i < put.size(); ++i) {
      const Status indexed = put_lexical_rows(database, put[i].chunks, *documents[i]);
      MNEME_RETURN_IF_ERROR(indexed.with_context("storing " + documents[i]->record.path + ": "));
    }
    return {};
  }));
  std::vector<DocumentId> ids;
  ids.reserve(put.size());
  for (const PutDocument& document : put) ids.push_back(document.id);
  return ids;
}

}  // namespace mneme::storage
