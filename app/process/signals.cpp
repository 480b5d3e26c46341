#include "app/process/signals.h"

#include <signal.h>
#include <unistd.h>

#include "base/exit_code.h"

namespace mneme::app {
namespace {

CancelToken token;

void on_signal(int) {
  if (token.cancelled()) _exit(static_cast<int>(ExitCode::kInterrupted));
  token.cancel();
}

bool is_ignored(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

CancelToken& cancel_on_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: a read from the terminal returns, so that a prompt can be left.
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A terminal that is closed; whoever started the program with nohup wants it to go on.
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, nullptr);
  // A file beyond what the user's shell allows (ulimit -f) is an error of writing, not the end without a word.
  ::signal(SIGXFSZ, SIG_IGN);
  return token;
}

}  // namespace mneme::app
