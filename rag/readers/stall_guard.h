// Runs blocking file work so that a network folder that has stopped answering cannot hold the caller: the work happens
// on a helper thread kept per calling thread; when its time is up the helper is left behind with it, and ends by itself
// if the call ever returns. Ownership: the work must own all it touches (it may outlive the call). Threads: any.
#pragma once

#include <chrono>
#include <functional>

#include "base/cancel.h"
#include "base/status.h"

namespace mneme::readers {

// Errors: those of `work`; kResource when it took longer than `time` (`what` names it in the message), or when too many
// earlier ones still hang; kCancelled.
Status run_guarded(std::string_view what, std::chrono::milliseconds time, const CancelToken* cancel,
                   std::function<Status()> work);

}  // namespace mneme::readers
