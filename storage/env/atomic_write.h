// Files written whole or not at all, and unmade so, by several processes at a time: what write_atomically() of
// file_env.h stands on.
// Threads: as the environment.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

// As write_atomically() for what is too large to hold at once: `fill` writes it piece by piece.
Status write_in_pieces(FileEnv& env, const std::string& path, const std::function<Status(WritableFile&)>& fill);

// Overwrites and removes files (FileEnv::erase()) so that none is ever seen half overwritten under its name, whatever
// happens: all get temporary names first, and only when the folders have those on the medium are they overwritten. A
// process that is killed in between leaves temporary files, for the next one that forgets to erase. One that is not
// there is no error; the first failure is returned when all have been tried.
Status erase_atomically(FileEnv& env, const std::vector<std::string>& paths);

}  // namespace mneme::storage
