#include "tests/fuzz/finding.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdio>

// Of the sanitizers' runtimes; absent in builds without one.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace mneme::fuzz {
namespace {

// What a handler of signals may read: plain memory, nothing that allocates.
std::array<char, PATH_MAX> file_name{};
std::string_view input;
bool working = false;
unsigned limit_s = 0;
// The alarm counts time in which the process was stopped, or had no processor, too: an input that has hardly run when
// it rings gets as much time again, once, and one that waits for ever is found then.
bool has_rung = false;
timespec begun{};
// Handlers run on a stack of their own: an input may have used up the program's.
alignas(16) std::array<char, 64 * 1024> handler_stack{};

void say(std::string_view words) {
  (void)!::write(STDERR_FILENO, words.data(), words.size());
}

void keep_input() {
  if (!working) return;
  working = false;
  const int file = ::open(file_name.data(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool kept = file >= 0 && ::write(file, input.data(), input.size()) == static_cast<ssize_t>(input.size());
  if (file >= 0) ::close(file);
  say(kept ? "the input was written to " : "the input could not be written to ");
  say(file_name.data());
  say("\n");
}

timespec processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time;
}

bool has_hardly_run() {
  return processor_time().tv_sec - begun.tv_sec < static_cast<time_t>(limit_s) / 2;
}

void on_signal(int signal);

void handle(int signal) {
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
  ::sigaction(signal, &action, nullptr);
}

void on_signal(int signal) {
  if (signal == SIGALRM && !has_rung && has_hardly_run()) {
    has_rung = true;
    handle(SIGALRM);
    ::alarm(limit_s);
    return;
  }
  if (signal == SIGALRM) say("an input takes too long\n");
  keep_input();
  // The default action was restored (SA_RESETHAND): dies of the same signal, as whoever waits expects.
  ::raise(signal);
}

}  // namespace

void keep_findings(const std::string& folder, std::string_view target, unsigned seconds) {
  std::snprintf(file_name.data(), file_name.size(), "%s/finding-%.*s", folder.c_str(), static_cast<int>(target.size()),
                target.data());
  limit_s = seconds;
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  ::sigaltstack(&stack, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) handle(signal);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(keep_input);
}

void begin_input(std::string_view bytes) {
  input = bytes;
  working = true;
  has_rung = false;
  begun = processor_time();
  ::alarm(limit_s);
}

void end_inputs() {
  working = false;
  ::alarm(0);
}

}  // namespace mneme::fuzz
