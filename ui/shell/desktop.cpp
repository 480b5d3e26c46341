#include "ui/shell/desktop.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "ui/language/tr.h"

extern char** environ;

namespace mneme::ui {
namespace {

constexpr int kLookEvery_ms = 100;  // for the window's closing, while a program runs
constexpr int kBusTimeout_s = 3;    // whoever answers there may have to be started first

struct Outcome {
  bool started = false;
  int exit_status = -1;
  std::string output;
};

// Reads until the other end is closed; false when `closing` was raised before that.
bool read_to_end(int descriptor, std::string& output, const CancelToken& closing) {
  std::array<char, 4096> buffer{};
  pollfd wait{descriptor, POLLIN, 0};
  while (!closing.cancelled()) {
    if (poll(&wait, 1, kLookEvery_ms) == 0) continue;
    const ssize_t n = read(descriptor, buffer.data(), buffer.size());
    if (n <= 0) return true;
    output.append(buffer.data(), static_cast<size_t>(n));
  }
  return false;
}

// Runs a program by name with its standard output read, and ends it when `closing` is raised; standard error is
// dropped.
Outcome run(std::vector<std::string> arguments, const CancelToken& closing = never_cancelled()) {
  Outcome outcome;
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return outcome;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  outcome.started = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  if (outcome.started && !read_to_end(pipe_ends[0], outcome.output, closing)) kill(child, SIGTERM);
  close(pipe_ends[0]);
  int status = 0;
  if (outcome.started && waitpid(child, &status, 0) == child && WIFEXITED(status))
    outcome.exit_status = WEXITSTATUS(status);
  return outcome;
}

std::optional<std::string> ask(const std::vector<std::vector<std::string>>& programs, bool& available,
                               const CancelToken& closing) {
  available = false;
  for (const std::vector<std::string>& program : programs) {
    if (closing.cancelled()) return std::nullopt;
    Outcome outcome = run(program, closing);
    // 127: the program is not there; 255 and others: it could not open a display.
    if (!outcome.started || outcome.exit_status > 1) continue;
    available = true;
    while (outcome.output.ends_with('\n')) outcome.output.pop_back();
    if (outcome.exit_status == 0 && !outcome.output.empty()) return outcome.output;
    return std::nullopt;
  }
  return std::nullopt;
}

// Whether the session has a bus: asked without one, gdbus would start one of its own.
bool has_session_bus() {
  const char* address = std::getenv("DBUS_SESSION_BUS_ADDRESS");  // NOLINT(concurrency-mt-unsafe): nobody sets it here
  if (address != nullptr && *address != '\0') return true;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");  // NOLINT(concurrency-mt-unsafe)
  return runtime != nullptr && *runtime != '\0' && access((std::string(runtime) + "/bus").c_str(), F_OK) == 0;
}

// Calls a method on the session's bus. Arguments are written as GVariant text, so that their types are right whether or
// not gdbus can ask the other side for them.
Outcome call_bus(const std::string& service, const std::string& object, const std::string& method,
                 const std::vector<std::string>& arguments) {
  if (!has_session_bus()) return {};
  std::vector<std::string> words{"gdbus",
                                 "call",
                                 "--session",
                                 "--timeout=" + std::to_string(kBusTimeout_s),
                                 "--dest=" + service,
                                 "--object-path=" + object,
                                 "--method=" + method};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run(std::move(words));
}

// As GVariant text [GLib, GVariant Text Format: Strings].
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : utf8::sanitise(text)) {
    if (c == '\'' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + "'";
}

}  // namespace

std::optional<std::string> choose_folder(bool& available, const CancelToken& closing) {
  return ask({{"zenity", "--file-selection", "--directory", std::string("--title=") + tr("Add a folder")},
              {"kdialog", "--getexistingdirectory", "."}},
             available, closing);
}

std::optional<std::string> choose_model_file(bool& available, const CancelToken& closing) {
  return ask({{"zenity", "--file-selection", std::string("--title=") + tr("Add a model"),
               std::string("--file-filter=") + tr("Models (GGUF)") + " | *.gguf"},
              {"kdialog", "--getopenfilename", ".", "*.gguf"}},
             available, closing);
}

void notify_desktop(const std::string& text) {
  if (run({"notify-send", "--app-name=mneme", "--", "mneme", utf8::sanitise(text)}).exit_status == 0) return;
  // What notify-send sends, for desktops without it: name, no earlier message, no icon, title, text, no buttons, no
  // hints, shown for ten seconds [Desktop Notifications Specification, Notify].
  call_bus("org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications.Notify",
           {"'mneme'", "uint32 0", "''", "'mneme'", quoted(text), "@as []", "@a{sv} {}", "int32 10000"});
}

void open_in_desktop(const std::string& path) {
  run({"sh", "-c", "xdg-open \"$0\" >/dev/null 2>&1 &", path});
}

bool prefers_dark() {
  const Outcome settings = run({"gsettings", "get", "org.gnome.desktop.interface", "color-scheme"});
  if (settings.exit_status == 0 && settings.output.find("dark") != std::string::npos) return true;
  // Other desktops say it to the portal: 1 is dark, 2 light, 0 neither [XDG Desktop Portal, Settings].
  const Outcome portal =
      call_bus("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
               "org.freedesktop.portal.Settings.Read", {"'org.freedesktop.appearance'", "'color-scheme'"});
  return portal.exit_status == 0 && portal.output.find("uint32 1>") != std::string::npos;
}

}  // namespace mneme::ui
