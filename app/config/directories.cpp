#include "app/config/directories.h"

#include <cstdlib>
#include <filesystem>

namespace mneme::app {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The XDG base directory specification ignores relative paths.
std::string xdg(const char* variable, const char* below_home) {
  if (const std::string value = environment(variable); value.starts_with('/')) return value + "/mneme";
  const std::string home = environment("HOME");
  return home.starts_with('/') ? home + below_home + std::string("/mneme") : "";
}

// A folder may be made there, or is.
Status check_home(const std::string& home) {
  for (std::filesystem::path at = home; !at.empty(); at = at.parent_path()) {
    std::error_code error;
    const std::filesystem::file_status found = std::filesystem::status(at, error);
    if (std::filesystem::is_directory(found)) return {};
    if (std::filesystem::exists(found)) {
      return usage_error("the home " + home + " cannot be a folder, since " + at.string() +
                         " is a file; name another place with --home or MNEME_HOME.");
    }
    if (at == at.parent_path()) break;
  }
  return {};
}

}  // namespace

Result<Directories> find_directories(const std::string& home) {
  const std::string chosen = home.empty() ? environment("MNEME_HOME") : home;
  if (!chosen.empty()) {
    std::error_code error;
    std::string absolute = std::filesystem::absolute(chosen, error).lexically_normal().string();
    if (error) return io_error("cannot resolve the home directory " + chosen + ": " + error.message() + ".");
    if (absolute.size() > 1 && absolute.ends_with('/')) absolute.pop_back();
    MNEME_RETURN_IF_ERROR(check_home(absolute));
    return Directories{.data = absolute, .config = absolute};
  }
  Directories directories{.data = xdg("XDG_DATA_HOME", "/.local/share"), .config = xdg("XDG_CONFIG_HOME", "/.config")};
  if (directories.data.empty() || directories.config.empty()) {
    const std::string why = environment("HOME").empty() ? "HOME is not set" : "HOME is no absolute path";
    return usage_error(why + ", so there is no place for mneme's files; give one with --home DIR.");
  }
  return directories;
}

}  // namespace mneme::app
