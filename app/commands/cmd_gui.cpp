// mneme gui: the window.
#include "app/commands/cmd_gui.h"

#include <unistd.h>

#include "app/assets.h"
#include "app/commands/cmd_chat.h"
#include "app/commands/commands.h"
#include "app/context.h"
#include "app/home_files.h"
#include "app/session.h"

#ifdef MNEME_HAVE_UI
#include "ui/ui.h"
#endif

namespace mneme::app {

#ifdef MNEME_HAVE_UI

namespace {

Status show_window(Context& context) {
  if (!ui::display_available()) {
    return unsupported(
        "there is no display (DISPLAY and WAYLAND_DISPLAY are unset); use `mneme chat` in a terminal instead.");
  }
  ui::WindowOptions options;
  MNEME_ASSIGN_OR_RETURN(const bool opens, opens_unasked(context));
  if (!opens) {
    // The window asks by itself.
    MNEME_ASSIGN_OR_RETURN(const storage::Home home, home_of(context));
    MNEME_ASSIGN_OR_RETURN(options.workspace, plain_workspace_options(context));
    options.unlock = [home, roots = kv_roots_of(context)](ByteSpan passphrase) {
      return unlock_home(home, roots, passphrase);
    };
  } else {
    MNEME_ASSIGN_OR_RETURN(options.workspace, workspace_options(context));
  }
  if (const std::string assets = assets_folder(); !assets.empty()) options.samples_folder = assets + "/samples";
  options.tidings = [&context](storage::Catalogue& catalogue) { return config_tidings(context, catalogue); };
  return ui::run_window(options);
}

// Somebody sits at a terminal and can go on there.
bool at_terminal(Context& context) {
  return !context.output.json() && context.output.stderr_is_terminal() && ::isatty(STDIN_FILENO) != 0 &&
         ::isatty(STDOUT_FILENO) != 0;
}

}  // namespace

bool window_available() {
  return ui::display_available();
}

Result<ExitCode> open_window(Context& context) {
  const Status shown = show_window(context);
  if (shown.code() == StatusCode::kUnsupported && at_terminal(context)) {
    context.output.warning("The window cannot be shown here, so the chat goes on in the terminal: " + shown.message());
    return chat_in_terminal(context);
  }
  MNEME_RETURN_IF_ERROR(shown);
  return ExitCode::kDone;
}

#else

bool window_available() {
  return false;
}

Result<ExitCode> open_window(Context&) {
  return unsupported("this build has no window (Dear ImGui, GLFW or OpenGL was missing); use `mneme chat` instead.");
}

#endif

void add_gui(Command root) {
  root.subcommand("gui", "Open the window (also without a command, when there is a display)").action(open_window);
}

}  // namespace mneme::app
