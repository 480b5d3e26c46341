// A new catalogue with what a damaged one still holds, under a name of its own.
// Threads: one at a time.
#pragma once

#include <string>

#include "base/cancel.h"
#include "base/status.h"
#include "storage/env/file_env.h"
#include "storage/salvage/damaged_file.h"
#include "storage/salvage/salvaged_rows.h"

namespace mneme::storage {

// Makes the file at `path`: whole, sound and on the medium, without a log beside it. What it fails with leaves files
// there, for the caller to remove.
Result<SalvagedRows> make_new_catalogue(DamagedFile& file, const std::string& path, FileEnv& env,
                                        const CancelToken& cancel);

}  // namespace mneme::storage
