// What ends a command cleanly, and what does not end it.
#include "app/process/signals.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mneme::app {
namespace {

constexpr int kRaised = 10;
constexpr int kNotRaised = 11;

// How a process ends that gets `signal` as soon as it listens, `before` having been done to the signal.
int status_after(int signal, void (*before)(int)) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(signal, before);
    const CancelToken& token = cancel_on_signals();
    ::raise(signal);
    ::_exit(token.cancelled() ? kRaised : kNotRaised);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(SignalsTest, InterruptsTerminationsAndClosedTerminalsRaiseTheFlag) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) EXPECT_EQ(status_after(signal, SIG_DFL), kRaised) << signal;
}

TEST(SignalsTest, UnderNohupAClosedTerminalIsNothing) {
  EXPECT_EQ(status_after(SIGHUP, SIG_IGN), kNotRaised);
}

}  // namespace
}  // namespace mneme::app
