// The file in which SQLite puts a database together anew (VACUUM) where that does not fit into its page cache; in
// memory it would take as much as the database has. SQLite would make it in the system's folder for temporary files,
// and remove it with all that stands in it. Here it lies beside the catalogue, under a temporary name
// (env/temporary_file.h) and encrypted where the catalogue is, and is overwritten when SQLite closes it. What a killed
// program left of it is found by its name. Ownership: a layer must outlive the connections opened through it. Threads:
// any number of connections at a time.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

class Database;
class SqliteLayer;

// under: name of a registered VFS. catalogue: whose file it is. env must outlive the layer.
Result<std::unique_ptr<SqliteLayer>> vacuum_file_layer(const char* under, FileEnv& env, const std::string& catalogue);

// Puts a database together anew, which was opened through such a layer. Outside of transactions.
Status vacuum(Database& database);

}  // namespace mneme::storage
