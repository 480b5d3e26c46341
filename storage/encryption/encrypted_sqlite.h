// SQLite's files (database, log, journals, temporary ones) encrypted on their way to the layer underneath, page by page
// in place. The index of the log (-shm) holds numbers of pages only and stays as it is.
//
// A file's size is rounded up to blocks of 16 bytes, which SQLite's formats bear: databases consist of pages, a log's
// frames and a journal's records are counted by whole ones. Pages and the parts of the log (wal_places.h) share no
// block with each other. Records of a rollback journal do, where one ends and the next begins: a power cut within a
// sector could cost the one before. Catalogues use the log; they have a journal only while they are made.
//
// Ownership: the layer must outlive its connections. Threads: as SqliteLayer.
#pragma once

#include <memory>

#include "base/status.h"
#include "storage/encryption/secret.h"
#include "storage/env/sqlite_layer.h"

namespace mneme::storage {

// under: the name of a registered VFS; null: SQLite's own.
Result<std::unique_ptr<SqliteLayer>> make_encrypted_layer(const char* under, std::shared_ptr<const Secret> home_key);

}  // namespace mneme::storage
