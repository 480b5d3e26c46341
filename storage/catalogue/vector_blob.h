// Embedding vectors as rows: f16 in the database, f32 outside. The transaction is the caller's. Not for other folders.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "storage/catalogue/records.h"
#include "storage/catalogue/sqlite_database.h"

namespace mneme::storage {

// The row id of an embedder; kUsage when it is known with other dimensions.
Result<int64_t> ensure_embedder(Database& database, std::string_view name, int dimensions);
Status put_vector(Database& database, ChunkId chunk, int64_t embedder, std::span<const float> vector);
// False when the blob has another size than `out`.
bool decode_vector(ByteSpan blob, std::span<float> out);

}  // namespace mneme::storage
