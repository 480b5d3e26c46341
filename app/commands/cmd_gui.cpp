// mneme gui: the window.
#include "app/commands/cmd_gui.h"

#include <unistd.h>

#include <memory>
#include <string>
#include <string_view>

#include "app/assets.h"
#include "app/commands/cmd_chat.h"
#include "app/commands/commands.h"
#include "app/context.h"
#include "app/home_files.h"
#include "app/session.h"
#include "ui/language/languages.h"

#ifdef MNEME_HAVE_UI
#include "ui/ui.h"
#endif

namespace mneme::app {
namespace {

constexpr const char* kAuto = "auto";

bool is_language(std::string_view text) {
  return text == kAuto || text == ui::kEnglishCode || ui::find_language(text) != nullptr;
}

// "auto, en, de or fr".
std::string languages_text() {
  std::string text = std::string(kAuto) + ", " + ui::kEnglishCode;
  const auto languages = ui::window_languages();
  for (size_t i = 0; i < languages.size(); ++i)
    text += (i + 1 == languages.size() ? " or " : ", ") + std::string(languages[i].code);
  return text;
}

}  // namespace

#ifdef MNEME_HAVE_UI

namespace {

Status show_window(Context& context, const std::string& language) {
  if (!ui::display_available()) {
    return unsupported(
        "there is no display (DISPLAY and WAYLAND_DISPLAY are unset); use `mneme chat` in a terminal instead.");
  }
  ui::WindowOptions options;
  if (language != kAuto) options.language = language;
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

Result<ExitCode> open_window(Context& context, const std::string& language) {
  if (!language.empty() && !is_language(language))
    return usage_error("the window does not speak " + language + "; its languages are " + languages_text() + ".");
  const Status shown = show_window(context, language);
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

Result<ExitCode> open_window(Context&, const std::string&) {
  return unsupported("this build has no window (Dear ImGui, GLFW or OpenGL was missing); use `mneme chat` instead.");
}

#endif

void add_gui(Command root) {
  Command gui = root.subcommand("gui", "Open the window (also without a command, when there is a display)");
  auto language = std::make_shared<std::string>(kAuto);
  gui.matching(
      "--language LANGUAGE", *language, is_language, languages_text(),
      "The window's language (" + languages_text() + "); auto: the one chosen in its settings, else the system's");
  gui.action([language](Context& context) { return open_window(context, *language); });
}

}  // namespace mneme::app
