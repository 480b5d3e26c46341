// A layer under a connection that leaves write-ahead logging: SQLite removes the log once all of it is in the database,
// and what the log held would stay on the disk; here it is overwritten. (Asking SQLite to keep the log, and erasing it
// behind its back, is no way: it opens a log that it finds again, and reads from it.)
// Threads: the connection's. Ownership: borrows `env`; outlives the connection.
#pragma once

#include <memory>

#include "base/status.h"
#include "storage/env/file_env.h"
#include "storage/env/sqlite_layer.h"

namespace mneme::storage {

// failure: where it is noted that a log could not be overwritten or removed, which SQLite does not tell; must outlive
// the layer.
Result<std::unique_ptr<SqliteLayer>> log_erasing_layer(const char* under, FileEnv& env, Status& failure);

}  // namespace mneme::storage
