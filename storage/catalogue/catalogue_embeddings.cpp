#include <cstring>

#include "base/f16.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/vector_blob.h"

namespace mneme::storage {
namespace {

struct Embedder {
  int64_t id = 0;
  int dimensions = 0;
};

Result<std::optional<Embedder>> find_embedder(Database& database, std::string_view name) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("SELECT id, dimensions FROM embedders WHERE name=?1"));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(name).step());
  if (!found) return std::optional<Embedder>();
  return std::optional<Embedder>(Embedder{statement.integer(0), static_cast<int>(statement.integer(1))});
}

Status damaged_vector(const Database& database, ChunkId chunk) {
  return corruption(database.path() + ": the embedding of chunk " + std::to_string(static_cast<int64_t>(chunk)) +
                    " is damaged; run `mneme verify --repair`");
}

// Whether the chunk that holds this one's text (shared_texts.h) has the same vector.
Result<bool> holder_has_vector(Database& database, ChunkId chunk, int64_t embedder, ByteSpan vector) {
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database.prepare("SELECT 1 FROM chunks CROSS JOIN embeddings ON chunk=same_as "
                                          "WHERE id=?1 AND embedder=?2 AND vector=?3"));
  return statement.bind(chunk, embedder, vector).step();
}

}  // namespace

Result<int64_t> ensure_embedder(Database& database, std::string_view name, int dimensions) {
  MNEME_ASSIGN_OR_RETURN(const std::optional<Embedder> known, find_embedder(database, name));
  if (known) {
    if (known->dimensions == dimensions) return known->id;
    return usage_error("embedder '" + std::string(name) + "' gave " + std::to_string(dimensions) +
                       " dimensions, but is stored with " + std::to_string(known->dimensions));
  }
  MNEME_ASSIGN_OR_RETURN(Statement insert, database.prepare("INSERT INTO embedders(name, dimensions) VALUES(?1, ?2)"));
  MNEME_RETURN_IF_ERROR(insert.bind(name, dimensions).run());
  return database.last_insert_id();
}

Status put_vector(Database& database, ChunkId chunk, int64_t embedder, std::span<const float> vector) {
  std::vector<f16> halves(vector.size());
  for (size_t i = 0; i < vector.size(); ++i) halves[i] = to_f16(vector[i]);
  const ByteSpan blob = std::as_bytes(std::span(halves));
  MNEME_ASSIGN_OR_RETURN(const bool shared, holder_has_vector(database, chunk, embedder, blob));
  if (shared) return {};
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("INSERT OR REPLACE INTO embeddings(chunk, embedder, "
                                                               "vector) VALUES(?1, ?2, ?3)"));
  return statement.bind(chunk, embedder, blob).run();
}

bool decode_vector(ByteSpan blob, std::span<float> out) {
  if (blob.size() != out.size() * sizeof(f16)) return false;
  for (size_t i = 0; i < out.size(); ++i) {
    f16 half;
    std::memcpy(&half, blob.data() + i * sizeof(f16), sizeof(f16));
    out[i] = to_f32(half);
  }
  return true;
}

Status Catalogue::for_each_embedding(CollectionId collection, std::string_view embedder, ChunkId after,
                                     const std::function<bool(ChunkId, std::span<const float>)>& visit) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(const std::optional<Embedder> known, find_embedder(*database, embedder));
  if (!known) return {};
  MNEME_ASSIGN_OR_RETURN(
      Statement statement,
      database->prepare(
          "SELECT chunks.id, coalesce(own.vector, shared.vector) AS vector FROM chunks "
          "CROSS JOIN documents ON documents.id=chunks.document "
          "LEFT JOIN embeddings AS own ON own.chunk=chunks.id AND own.embedder=?2 "
          "LEFT JOIN embeddings AS shared ON own.chunk IS NULL AND shared.chunk=same_as AND shared.embedder=?2 "
          "WHERE chunks.id>?1 AND collection=?3 AND coalesce(own.chunk, shared.chunk) IS NOT NULL "
          "ORDER BY chunks.id"));
  statement.bind(after, known->id, collection);
  std::vector<float> vector(static_cast<size_t>(known->dimensions));
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return {};
    const ChunkId chunk = statement.id<ChunkId>(0);
    if (!decode_vector(statement.blob(1), vector)) return damaged_vector(*database, chunk);
    if (!visit(chunk, vector)) return {};
  }
}

Result<std::vector<std::pair<ChunkId, std::vector<float>>>> Catalogue::embeddings(std::string_view embedder,
                                                                                  std::span<const ChunkId> chunks) {
  std::vector<std::pair<ChunkId, std::vector<float>>> found;
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(const std::optional<Embedder> known, find_embedder(*database, embedder));
  if (!known) return found;
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database->prepare("SELECT vector FROM chunks CROSS JOIN embeddings ON chunk IN (id, same_as) "
                                           "WHERE id=?1 AND embedder=?2 ORDER BY chunk=id DESC LIMIT 1"));
  for (const ChunkId chunk : chunks) {
    statement.reset();
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.bind(chunk, known->id).step());
    if (!row) continue;
    std::vector<float> vector(static_cast<size_t>(known->dimensions));
    if (!decode_vector(statement.blob(0), vector)) return damaged_vector(*database, chunk);
    found.emplace_back(chunk, std::move(vector));
  }
  return found;
}

Result<std::vector<ChunkId>> Catalogue::chunks_without_embedding(CollectionId collection, std::string_view embedder,
                                                                 int limit, ChunkId after) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(const std::optional<Embedder> known, find_embedder(*database, embedder));
  MNEME_ASSIGN_OR_RETURN(
      Statement statement,
      database->prepare("SELECT chunks.id FROM chunks CROSS JOIN documents ON documents.id=chunks.document "
                        "WHERE collection=?1 AND chunks.id>?4 AND NOT EXISTS (SELECT 1 FROM embeddings WHERE chunk IN "
                        "(chunks.id, same_as) AND embedder=?2) ORDER BY chunks.id LIMIT ?3"));
  statement.bind(collection, known ? known->id : int64_t{-1}, limit, after);
  std::vector<ChunkId> chunks;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return chunks;
    chunks.push_back(statement.id<ChunkId>(0));
  }
}

Status Catalogue::put_embeddings(std::span<const ChunkId> chunks, const EmbeddingRows& rows) {
  const auto n = static_cast<size_t>(rows.dimensions);
  if (rows.embedder.empty() || rows.dimensions <= 0 || rows.values.size() != chunks.size() * n) {
    return usage_error("embeddings do not match their chunks");
  }
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(const int64_t embedder, ensure_embedder(database, rows.embedder, rows.dimensions));
    MNEME_ASSIGN_OR_RETURN(Statement alive, database.prepare("SELECT 1 FROM chunks WHERE id=?1"));
    for (size_t i = 0; i < chunks.size(); ++i) {
      alive.reset();
      MNEME_ASSIGN_OR_RETURN(const bool there, alive.bind(chunks[i]).step());
      if (!there) continue;
      MNEME_RETURN_IF_ERROR(put_vector(database, chunks[i], embedder, {rows.values.data() + i * n, n}));
    }
    return database.execute("UPDATE collections SET revision=revision+1");
  });
}

Status Catalogue::keep_only_embedder(std::string_view embedder) {
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement vectors, database.prepare("DELETE FROM embeddings WHERE embedder IN "
                                                               "(SELECT id FROM embedders WHERE name<>?1)"));
    MNEME_RETURN_IF_ERROR(vectors.bind(embedder).run());
    MNEME_ASSIGN_OR_RETURN(Statement names, database.prepare("DELETE FROM embedders WHERE name<>?1"));
    return names.bind(embedder).run();
  });
}

}  // namespace mneme::storage
