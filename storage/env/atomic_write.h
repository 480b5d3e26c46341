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

// `fill` writes a file, piece by piece, under a name of its own; it is on the medium when it gets the name asked for.
// That name may still be lost with the power: for caches, to which a lost name is a miss.
Status write_then_rename(FileEnv& env, const std::string& path, const std::function<Status(WritableFile&)>& fill);
// The same with the name on the medium too: write_atomically() for what is too large to hold at once.
Status write_in_pieces(FileEnv& env, const std::string& path, const std::function<Status(WritableFile&)>& fill);

// Overwrites and removes files (FileEnv::erase()) so that none is ever seen half overwritten under its name, whatever
// happens: all get temporary names first, and only when the folders have those on the medium are they overwritten. A
// process that is killed in between leaves temporary files, for the next one that forgets to erase. One that is not
// there is no error; the first failure is returned when all have been tried.
Status erase_atomically(FileEnv& env, const std::vector<std::string>& paths);

}  // namespace mneme::storage
