#include "tests/support/process_folder.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace mneme::test {
namespace {

class ProcessFolder {
 public:
  ProcessFolder() {
    path_ = (std::filesystem::temp_directory_path() / "mneme-test-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make " + path_);
  }
  // Not by a process forked from the one that made it.
  ~ProcessFolder() {
    std::error_code ignored;
    if (::getpid() == maker_) std::filesystem::remove_all(path_, ignored);
  }
  ProcessFolder(const ProcessFolder&) = delete;
  ProcessFolder& operator=(const ProcessFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  const pid_t maker_ = ::getpid();
  std::string path_;
};

}  // namespace

const std::string& process_folder() {
  static const ProcessFolder folder;
  return folder.path();
}

}  // namespace mneme::test
