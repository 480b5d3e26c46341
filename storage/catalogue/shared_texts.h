// Passages with the same text (copies of files, chapters in two books) keep it once, and their vector too where it is
// the same: `chunks.same_as` is the chunk whose rows hold them, NULL where they are the chunk's own. Transactions are
// the caller's. Not for other folders.
#pragma once

#include <optional>
#include <string_view>

#include "base/hash.h"
#include "storage/catalogue/records.h"
#include "storage/catalogue/sqlite_database.h"

namespace mneme::storage {

// The chunk that holds this text; unset: none does. Equal hashes are not enough, for they can be made on purpose.
Result<std::optional<ChunkId>> holder_of_text(Database& database, const Hash128& hash, std::string_view text);

// Before the chunks of `document` go: what other documents share with it passes to one of their chunks.
Status hand_on_shared_rows(Database& database, DocumentId document);

}  // namespace mneme::storage
