// Where a command's words go: results to standard output (people's text or JSON), everything else to standard error.
// Threads: all functions may be called from any thread; each writes whole lines.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/status.h"

namespace mneme::app {

enum class Verbosity { kQuiet, kNormal, kVerbose };

class Output {
 public:
  Output(bool json, Verbosity verbosity);
  ~Output();
  Output(Output&&) noexcept;

  bool json() const;
  Verbosity verbosity() const;
  bool stdout_is_terminal() const;
  bool stderr_is_terminal() const;
  int columns() const;  // of the terminal on standard error; 80 when unknown

  // Results. print() writes text as it is: whatever comes from documents or models goes through terminal_safe() first.
  void print(std::string_view text);
  void print_json(const nlohmann::json& value);  // one line, safe on a terminal; malformed UTF-8 is replaced

  // Diagnostics, one line each, to standard error.
  void note(std::string_view text);     // unless --quiet
  void detail(std::string_view text);   // with --verbose; a line, or several
  void warning(std::string_view text);  // always
  // The one sentence of a failure; with --json also as an object on standard output.
  void error(const Status& status);

  // Shows `text` as the terminal's current line, replacing the one before; empty removes it. Nothing without a
  // terminal.
  void status_line(std::string_view text);

  // Hands everything over to the system. kIo or kNoSpace when standard output could not take it.
  Status flush();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mneme::app
