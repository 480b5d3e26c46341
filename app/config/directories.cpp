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
  return home.empty() ? "" : home + below_home + std::string("/mneme");
}

}  // namespace

Result<Directories> find_directories(const std::string& home) {
  const std::string chosen = home.empty() ? environment("MNEME_HOME") : home;
  if (!chosen.empty()) {
    std::error_code error;
    std::string absolute = std::filesystem::absolute(chosen, error).lexically_normal().string();
    if (error) return io_error("cannot resolve the home directory " + chosen + ": " + error.message() + ".");
    if (absolute.size() > 1 && absolute.ends_with('/')) absolute.pop_back();
    return Directories{.data = absolute, .config = absolute};
  }
  Directories directories{.data = xdg("XDG_DATA_HOME", "/.local/share"), .config = xdg("XDG_CONFIG_HOME", "/.config")};
  if (directories.data.empty() || directories.config.empty()) {
    return usage_error("HOME is not set, so there is no place for mneme's files; give one with --home DIR.");
  }
  return directories;
}

}  // namespace mneme::app
