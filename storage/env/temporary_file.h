// Files under names that tell they are being made or unmade, and by which process. What a killed process left of them
// is found by its name. Threads: as the environment.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

// Names of files that are being made or unmade hold this, with the number of the process behind it.
inline constexpr std::string_view kTemporaryMark = ".tmp-";

// A name beside `path` that no other thread or process uses at this moment.
std::string temporary_name(const std::string& path);

bool is_temporary(std::string_view path);

// What the file is called once it is made, or was before it was unmade: the name up to the mark.
std::string_view lasting_name(std::string_view name);

// Whether the process that used this temporary name is none of this machine any more.
bool is_left_by_the_dead(std::string_view path);

// Whether a temporary file has not been written to for an hour: its process is gone, on whichever machine it was. So is
// one that was written to more than a day from now: the clock was wrong then.
bool is_abandoned(const std::string& path, const FileStat& stat);

// Erases (FileEnv::erase()) the abandoned temporary files of a folder: they may hold what has been forgotten since.
//   is_ours: asked with the lasting name, where files of others may lie in the folder. Null: all are.
Status erase_abandoned(FileEnv& env, const std::string& folder,
                       const std::function<bool(std::string_view name)>& is_ours = {});

}  // namespace mneme::storage
