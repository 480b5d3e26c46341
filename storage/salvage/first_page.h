// A layer under SQLite that gives another first page where a catalogue's own cannot be read: SQLite opens nothing
// without it, and neither the log can be moved into the file then, nor anybody be kept out. The one it gives says what
// is the same in every catalogue (size of pages, checksums, a log) and has no table.
// Ownership: the layer must outlive its connections. Threads: as SqliteLayer.
#pragma once

#include <memory>

#include "base/bytes.h"
#include "base/status.h"
#include "storage/env/sqlite_layer.h"

namespace mneme::storage {

// Whether a catalogue may begin so: its header makes sense, and its checksum, where its schema has any, is right.
bool is_sound_first_page(ByteSpan page);

// Asked of a file through it (sqlite3_file_control()): its own first page, unchecked, into the bytes of a page.
inline constexpr int kReadFirstPageUnchecked = 0x6d6e31;

// under: name of a registered VFS; null: SQLite's own.
Result<std::unique_ptr<SqliteLayer>> first_page_layer(const char* under);

}  // namespace mneme::storage
