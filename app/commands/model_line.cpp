#include "app/commands/model_line.h"

#include <algorithm>

#include "app/output/terminal_text.h"
#include "base/human_text.h"

namespace mneme::app {

std::string model_line(bool is_default, const std::string& name, const std::string& kind, uint64_t bytes,
                       const std::string& where) {
  const auto column = [](const std::string& text, int width) {
    return text + std::string(static_cast<size_t>(std::max(1, width - display_width(text))), ' ');
  };
  return (is_default ? "* " : "  ") + column(terminal_line(name), 24) + column(kind, 10) +
         column(human_bytes(static_cast<double>(bytes)), 10) + terminal_line(where) + "\n";
}

}  // namespace mneme::app
