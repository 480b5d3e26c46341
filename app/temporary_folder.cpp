#include "app/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace mneme::app {

Result<TemporaryFolder> TemporaryFolder::make() {
  const char* base = std::getenv("TMPDIR");
  std::string path = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/mneme-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return errno_error("make a temporary folder like", path, errno);
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace mneme::app
