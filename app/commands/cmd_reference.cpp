#include <memory>

#include "app/cli/reference.h"
#include "app/commands/commands.h"
#include "app/context.h"

namespace mneme::app {
namespace {

std::string rendered(const CommandLine& line, const std::string& form) {
  if (form == "man") return manual_page(line);
  if (form == "bash") return bash_completion(line);
  if (form == "zsh") return zsh_completion(line);
  if (form == "fish") return fish_completion(line);
  return markdown_reference(line);
}

}  // namespace

void add_reference(Command root) {
  Command command =
      root.subcommand("reference", "Print the manual page, the table of commands, or a shell's completions");
  auto form = std::make_shared<std::string>();
  command.positional_choice("FORM", *form, {"man", "markdown", "bash", "zsh", "fish"},
                            "man, markdown, bash, zsh or fish");
  const CommandLine& line = root.line();
  command.action([form, &line](Context& context) -> Result<ExitCode> {
    context.output.print(rendered(line, *form));
    return ExitCode::kDone;
  });
}

}  // namespace mneme::app
