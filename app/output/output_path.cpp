#include "app/output/output_path.h"

#include <filesystem>
#include <system_error>

namespace mneme::app {

Status check_output_path(std::string_view option, const std::string& path) {
  if (path.empty()) return {};
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return usage_error(std::string(option) + " writes a file, and " + path + " is a folder; name a file.");
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return {};
  return usage_error(std::string(option) + " cannot write " + path + ": there is no folder " + folder.string() +
                     "; make it, or name another place.");
}

}  // namespace mneme::app
