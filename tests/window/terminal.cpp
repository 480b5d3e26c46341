#include "tests/window/terminal.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

namespace mneme::window {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

// Reads what the program writes; false when it has closed the terminal.
bool read_some(int terminal, int wait_ms, std::string& screen) {
  pollfd ready{terminal, POLLIN, 0};
  if (poll(&ready, 1, wait_ms) <= 0) return true;
  std::array<char, 4096> buffer{};
  const ssize_t n = read(terminal, buffer.data(), buffer.size());
  if (n <= 0) return false;
  screen.append(buffer.data(), static_cast<size_t>(n));
  return true;
}

}  // namespace

TerminalOutcome run_in_terminal(std::vector<std::string> words, std::vector<std::string> variables,
                                const std::string& typed, double limit_s) {
  TerminalOutcome outcome;
  std::vector<char*> argv = pointers(words);
  std::vector<char*> envp = pointers(variables);
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    execve(argv[0], argv.data(), envp.data());
    _exit(126);
  }
  if (child < 0) return outcome;
  const bool sent = write(terminal, typed.data(), typed.size()) == static_cast<ssize_t>(typed.size());
  const Clock::time_point begin = Clock::now();
  while (sent && std::chrono::duration<double>(Clock::now() - begin).count() < limit_s) {
    if (!read_some(terminal, 200, outcome.screen)) break;
  }
  int status = 0;
  pid_t ended = 0;
  while (ended == 0 && std::chrono::duration<double>(Clock::now() - begin).count() < limit_s) {
    ended = waitpid(child, &status, WNOHANG);
    if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (ended == child && WIFEXITED(status)) outcome.exit_status = WEXITSTATUS(status);
  if (ended == 0) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
  close(terminal);
  return outcome;
}

}  // namespace mneme::window
