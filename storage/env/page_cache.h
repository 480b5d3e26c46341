// The system's cache of file contents, for measurements that must begin without it. Threads: any.
#pragma once

#include <string>

#include "base/status.h"

namespace mneme::storage {

// What the system keeps in memory of the files below a folder goes, after it has been written; what other programs or
// this one have mapped stays. A folder that is not there has none. A request: file systems in memory, and some virtual
// ones, do not heed it. kIo for a file that cannot be written to its disk.
Status drop_cached_pages(const std::string& folder);

}  // namespace mneme::storage
