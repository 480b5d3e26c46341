// A context for measuring in a home that is made for it and thrown away, beside the user's own. Threads: the main
// thread.
#pragma once

#include <string>

#include "app/context.h"

namespace mneme::app {

// The context's options over the home `home`, silent, under the same flag of cancelling. What names places and limits
// of the user's own KV store is left out: a scratch home neither writes to those folders nor makes room in them.
Context scratch_context(const Context& context, const std::string& home);

}  // namespace mneme::app
