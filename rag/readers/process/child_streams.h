// What a child process says on its two streams, passed on as it comes.
// Internal to rag/readers. Threads: any number of calls at the same time.
#pragma once

#include <functional>
#include <string_view>

#include "base/status.h"
#include "rag/readers/process/child_process.h"

namespace mneme::readers {

// Until both streams end. `result.timed_out` is set when the time ran out first. Errors: kCancelled, kIo, those of
// `on_output`.
Status drain(int output, int errors, const ChildLimits& limits,
             const std::function<Status(std::string_view)>& on_output, ChildResult& result);

}  // namespace mneme::readers
