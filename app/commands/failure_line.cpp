#include "app/commands/failure_line.h"

#include "app/output/terminal_text.h"

namespace mneme::app {

std::string failure_line(const std::string& path, const std::string& error) {
  const bool named = error.starts_with(path);
  return "not indexed: " + (named ? "" : terminal_line(path) + ": ") + terminal_line(error);
}

}  // namespace mneme::app
