#include "app/cli/help_format.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include "app/output/terminal_text.h"

namespace mneme::app {
namespace {

constexpr int kLeastColumns = 24;
constexpr int kTwoColumnsFrom = 72;  // narrower: descriptions stand below
constexpr size_t kNameColumn = 36;
constexpr size_t kCommandColumn = 16;
constexpr size_t kIndent = 6;

// CLI11 indents what follows a line's end in a description.
class Wrapped : public CLI::Formatter {
 public:
  explicit Wrapped(int columns) : columns_(std::max(columns, kLeastColumns)) {
    column_width(columns_ >= kTwoColumnsFrom ? kNameColumn : kIndent);
  }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    return CLI::detail::find_and_replace(text, "\n\n\n", "\n\n");  // CLI11 puts two lines between groups
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrap_words(option->get_description(), columns_ - static_cast<int>(get_column_width()));
  }
  std::string make_subcommand(const CLI::App* command) const override {
    const size_t column = columns_ >= kTwoColumnsFrom ? kCommandColumn : kIndent;
    std::stringstream out;
    CLI::detail::format_help(out, command->get_display_name(true),
                             wrap_words(command->get_description(), columns_ - static_cast<int>(column)), column);
    return out.str();
  }
  std::string make_description(const CLI::App* app) const override {
    return wrap_words(CLI::Formatter::make_description(app), columns_) + "\n";
  }

 private:
  const int columns_;
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_format(int columns) {
  return std::make_shared<Wrapped>(columns);
}

}  // namespace mneme::app
