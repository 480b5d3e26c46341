#include "app/cli/truth_value.h"

#include <CLI/CLI.hpp>
#include <stdexcept>

namespace mneme::app {

// As the parser takes the value of a flag.
std::optional<bool> truth_value(const std::string& text) {
  try {
    return CLI::detail::to_flag_value(text) > 0;
  } catch (const std::logic_error&) {
    return std::nullopt;
  }
}

}  // namespace mneme::app
