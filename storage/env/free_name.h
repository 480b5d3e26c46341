// A name for a file that a person asks for without choosing its name (an export): never that of a file that is there.
// Threads: as the environment.
#pragma once

#include <string>

#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

// `path` when nothing has that name (links that lead nowhere have it too), else the first free of "notes (2).md",
// "notes (3).md" ..., as file managers number copies. The name is free at that moment and not kept: of two programs
// that ask in the same moment both may be told the same. Errors: those of stat(); kUsage when thousands are taken.
Result<std::string> free_name(FileEnv& env, const std::string& path);

}  // namespace mneme::storage
