// A new empty folder below TMPDIR (or /tmp), removed with all it holds when the object goes.
// Threads: one owner.
#pragma once

#include <string>

#include "base/status.h"

namespace mneme::app {

class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace mneme::app
