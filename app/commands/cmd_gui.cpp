// mneme gui: the window.
#include "app/commands/commands.h"
#include "app/context.h"
#include "app/session.h"

#ifdef MNEME_HAVE_UI
#include "ui/ui.h"
#endif

namespace mneme::app {

#ifdef MNEME_HAVE_UI

bool window_available() {
  return ui::display_available();
}

Result<ExitCode> open_window(Context& context) {
  if (!ui::display_available()) {
    return unsupported(
        "there is no display (DISPLAY and WAYLAND_DISPLAY are unset); use `mneme chat` in a terminal instead.");
  }
  ui::WindowOptions options;
  MNEME_ASSIGN_OR_RETURN(options.workspace, workspace_options(context));
  if (const std::string assets = assets_folder(); !assets.empty()) options.samples_folder = assets + "/samples";
  MNEME_RETURN_IF_ERROR(ui::run_window(options));
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
