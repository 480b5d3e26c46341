// SQLite's files where nothing can be written: a medium mounted read-only, a folder of somebody else, a full disk. A
// database with a write-ahead log needs two files beside it, the log and the memory its users share; here a log that
// is not there is an empty one, and where the shared memory cannot be made SQLite is told so and builds its own from
// the log (https://www.sqlite.org/wal.html#read_only_databases). What a killed writer left in its log is read too.
// Ownership: must outlive the layers and connections on it. Threads: as SqliteLayer.
#pragma once

#include <memory>

#include "base/status.h"

namespace mneme::storage {

class SqliteLayer;

// under: name of a registered VFS; null: SQLite's own. kInternal when SQLite refuses.
Result<std::unique_ptr<SqliteLayer>> read_only_layer(const char* under);

}  // namespace mneme::storage
