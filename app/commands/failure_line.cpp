#include "app/commands/failure_line.h"

#include "app/output/terminal_text.h"

namespace mneme::app {
namespace {

// Itself, not something below it.
bool names(const std::string& error, const std::string& path) {
  const size_t at = error.find(path);
  return at != std::string::npos && error.compare(at + path.size(), 1, "/") != 0;
}

}  // namespace

std::string failure_line(const std::string& path, const std::string& error) {
  return "not indexed: " + (names(error, path) ? "" : terminal_line(path) + ": ") + terminal_line(error);
}

}  // namespace mneme::app
