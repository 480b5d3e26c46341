// Names that files had before they were moved. Chats name a file as it was called when they were held: forgetting it
// takes what they say of it under those names, too. Who indexes notes the moves as settings (Catalogue::put_setting());
// names that no JSON can hold are left out. Threads: pure functions, and the caller's transaction.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>

#include "base/status.h"

namespace mneme::storage {

class Database;
struct PathRange;

using MovedFile = std::pair<std::string, std::string>;  // from, to

// The setting that says so; an empty key where none of the names can be said.
std::pair<std::string, std::string> setting_of_moves(std::span<const MovedFile> moves);

// Names of files that are or were last seen in the range; not those that are in the range themselves, and none that
// another document has now.
Result<std::set<std::string>> earlier_names(Database& database, const PathRange& range);

// Whether a move to or from the range is noted.
Result<bool> moves_name(Database& database, const PathRange& range);

// Takes out every move that leads into the range, however often the file was moved on its way, or away from it.
Status forget_moves(Database& database, const PathRange& range);

}  // namespace mneme::storage
