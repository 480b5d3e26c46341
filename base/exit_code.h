// The program's exit statuses, and the one place where failures become them (interface contract).
#pragma once

#include "base/status.h"

namespace mneme {

enum class ExitCode { kDone = 0, kFailed = 1, kUsage = 2, kDamaged = 3, kNotFound = 4, kInterrupted = 130 };

ExitCode exit_code(StatusCode code);

}  // namespace mneme
