// Runs the built program as a user would, in a home of its own; or another build of it, which MNEME_PROGRAM names (the
// release build, say, for tests that start it thousands of times). Threads: one object per test.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mneme::integration {

struct Outcome {
  int exit_status = -1;     // -1: it did not exit by itself
  int signal = 0;           // what killed it
  std::string output;       // standard output
  std::string diagnostics;  // standard error
  // The last line of output as JSON; discarded when it is none.
  nlohmann::json last_json() const;
};

class Program {
 public:
  Program();   // a new temporary folder
  ~Program();  // removed with all it holds
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const std::string& folder() const { return folder_; }
  std::string home() const { return home_.empty() ? folder_ + "/home" : home_; }
  void use_home(std::string home) { home_ = std::move(home); }  // another Program's, to share it

  // Writes folder()/name, making folders on the way; gives the path.
  std::string write(const std::string& name, const std::string& content);
  // The files of the home in whose bytes the word stands.
  std::vector<std::string> files_that_hold(const std::string& word) const;

  // Runs `mneme --home HOME ARGUMENTS...` with `input` on standard input; no model and no network settings leak in.
  Outcome run(const std::vector<std::string>& arguments, const std::string& input = "");

  // Variables for the runs to come, as "NAME=value".
  std::vector<std::string> environment;
  // Sends SIGKILL this long after the start; 0: never.
  int kill_after_us = 0;
  // Sends SIGINT this long after the start, and not before the program listens; 0: never.
  int interrupt_after_ms = 0;
  // Any call that makes a socket kills the program (SIGSYS): what exits has connected to nothing.
  bool forbid_sockets = false;
  // The program finds its home on a medium that is mounted read-only, where the system lets tests mount (exit status
  // kCannotMount otherwise).
  bool read_only_home = false;
  static constexpr int kCannotMount = 123;
  // Starts the program without standard input, output and error.
  bool close_streams = false;
  // Standard input and output lead there ("/dev/full"); empty: to what run() is given and gives.
  std::string input_from;
  std::string output_to;
  // Largest file the program may write; 0: no limit. Like a disk that is full.
  uint64_t limit_file_bytes = 0;

 private:
  std::string folder_;
  std::string home_;
};

}  // namespace mneme::integration
