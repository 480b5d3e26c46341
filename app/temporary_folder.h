// A new empty folder below TMPDIR (or /tmp), removed with all it holds when the object goes. What a process that was
// killed has left is removed when the next one is made: whoever lives holds a lock on its folder, which ends with it.
// Threads: one owner.
#pragma once

#include <string>

#include "base/file_descriptor.h"
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
  TemporaryFolder(std::string path, FileDescriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::string path_;
  FileDescriptor lock_;  // of the folder itself, locked
};

}  // namespace mneme::app
