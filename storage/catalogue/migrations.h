// The schema and how older ones become the newest. Every released version stays here; see schema.md.
// Threads: call with the one connection that opens the catalogue.
#pragma once

#include <string>

#include "base/status.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

inline constexpr int kSchemaVersion = 5;
// "mnem": marks the file as ours (PRAGMA application_id).
inline constexpr int kApplicationId = 0x6d6e656d;

// kUnsupported for a newer schema or somebody else's database; writes nothing.
Status check_schema(Database& database);

// Where the catalogue at `path` is copied to before its schema `version` is changed.
std::string backup_path(const std::string& path, int version);

// Brings the database to kSchemaVersion. An existing older one is copied to its backup_path(), for its owner alone to
// read, first; what changes then does so at once or not at all. Programs that migrate at the same time keep the first
// one's copy. Call check_schema() before, and reserve_page_checksums() on the connection.
struct MigrationOptions {
  const char* vfs = nullptr;
  FileEnv& env;  // where the files lie that `vfs` opens
  int busy_timeout_ms = 10000;
};
Status migrate(Database& database, const MigrationOptions& options);

}  // namespace mneme::storage
