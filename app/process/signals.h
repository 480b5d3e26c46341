// Ctrl-C, SIGTERM and SIGHUP (but under nohup) raise a cancel flag; a second one ends the process at once with status
// 130. SIGXFSZ is ignored.
#pragma once

#include "base/cancel.h"

namespace mneme::app {

// Installs the handlers (once per process) and gives the flag they raise.
CancelToken& cancel_on_signals();

}  // namespace mneme::app
