// A folder of its own for a test, gone afterwards.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace mneme::storage {

class TemporaryHome {
 public:
  TemporaryHome() {
    std::string name = std::filesystem::temp_directory_path() / "mneme-test-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TemporaryHome() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryHome(const TemporaryHome&) = delete;
  TemporaryHome& operator=(const TemporaryHome&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace mneme::storage
