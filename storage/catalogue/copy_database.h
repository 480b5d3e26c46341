// A whole database to another file. Threads: both connections belong to the caller's thread.
#pragma once

#include <string>

#include "base/status.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

// Waits while others write. The file at `path` is made (0600) where it is missing, and replaced.
Status copy_database(Database& source, const std::string& path, const char* vfs, FileEnv& env);

// Reads both files back and compares every page. Neither may have a log: `source` is not in WAL mode, and its
// transaction has ended. kCorruption where they differ.
Status check_copy(Database& source, const std::string& path, const char* vfs);

}  // namespace mneme::storage
