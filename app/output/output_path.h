// Files that a command writes at its end where the user says (--trace, --plot). Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace mneme::app {

// Whether a file can come to stand at `path`, before the work that it is to tell of is done. Nothing is created; an
// empty path means that no file is wanted. kUsage names `option` ("--trace").
Status check_output_path(std::string_view option, const std::string& path);

// Writes the file, whole or not at all. What is there and no regular file (a link, a pipe, /dev/stdout) is written to
// and never replaced by one; a pipe that nobody reads is kIo, not waited for. Errors: those of writing.
Status write_output_file(const std::string& path, std::string_view content);

}  // namespace mneme::app
