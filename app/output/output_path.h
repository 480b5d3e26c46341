// The place of a file that a command writes at its end (--trace, --plot). Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace mneme::app {

// Whether a file can come to stand at `path`, before the work that it is to tell of is done. Nothing is created; an
// empty path means that no file is wanted. kUsage names `option` ("--trace").
Status check_output_path(std::string_view option, const std::string& path);

}  // namespace mneme::app
