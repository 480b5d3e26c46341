// The files of a disk in memory, taken out and laid down again. Threads: as the environment.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "storage/env/memory_env.h"

namespace mneme::faults {

using Bytes = std::vector<std::byte>;
using Files = std::map<std::string, Bytes>;

// Every file at or below `folder`, but for locks and SQLite's shared memory.
void collect(storage::MemoryEnv& env, const std::string& folder, Files& files);
void lay(storage::MemoryEnv& env, const Files& files);  // synced

}  // namespace mneme::faults
