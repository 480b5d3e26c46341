#include "app/assets.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "app/process/own_program.h"

namespace mneme::app {

namespace fs = std::filesystem;

std::string assets_folder() {
  if (const char* named = std::getenv("MNEME_ASSETS"); named != nullptr && *named != '\0') return named;
  std::error_code error;
  const fs::path program = own_program();
  const fs::path target = fs::read_symlink(program, error);
  const fs::path& binary = error ? program : target;
  const fs::path installed = binary.parent_path().parent_path() / "share" / "mneme";
  if (fs::is_directory(installed, error)) return installed.string();
  return fs::is_directory(MNEME_SOURCE_ASSETS, error) ? MNEME_SOURCE_ASSETS : "";
}

std::string shipped_model(const std::string& file_name) {
  const std::string folder = assets_folder();
  if (folder.empty()) return "";
  const fs::path path = fs::path(folder) / "models" / file_name;
  std::error_code error;
  return fs::is_regular_file(path, error) ? path.string() : "";
}

}  // namespace mneme::app
