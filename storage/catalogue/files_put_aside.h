// Files beside a catalogue that hold what it once held: backups of older schemas (migrations.h) and damaged ones that
// were replaced (storage/salvage). What is forgotten goes from them, too. Threads: as the environment.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

// What a damaged catalogue's name goes on with. It stays until the user removes it.
inline constexpr std::string_view kDamagedEnding = ".damaged";

// The whole paths, without logs and the like that may lie beside them.
Result<std::vector<std::string>> backups_of(FileEnv& env, const std::string& catalogue);
Result<std::vector<std::string>> damaged_ones_of(FileEnv& env, const std::string& catalogue);

// Backups that were made longer ago than that; gives their bytes.
Result<uint64_t> erase_old_backups(FileEnv& env, const std::string& catalogue, std::chrono::days age);

// What killed programs left of the catalogue under temporary names: logs and backups that they were about to overwrite,
// the catalogue as they were putting it together anew (vacuum_file.h).
Status erase_left_by_the_dead(FileEnv& env, const std::string& catalogue);

// With what SQLite keeps beside it, should whoever looked into it have been cut off.
Status erase_put_aside(FileEnv& env, const std::string& path);

}  // namespace mneme::storage
