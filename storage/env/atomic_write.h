// Files written whole or not at all, by several processes at a time: what write_atomically() of file_env.h stands on.
// Threads: as the environment.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

// Names of files that are being written hold this.
inline constexpr std::string_view kTemporaryMark = ".tmp-";

// As write_atomically() for what is too large to hold at once: `fill` writes it piece by piece.
Status write_in_pieces(FileEnv& env, const std::string& path, const std::function<Status(WritableFile&)>& fill);

// Removes the temporary files of a folder whose writers died more than an hour ago.
Status remove_abandoned(FileEnv& env, const std::string& folder);

}  // namespace mneme::storage
