// Which run reads a file, where several are under way on one home (the window, a watching process, commands): each
// claims a file before it reads it and holds the claim until what it read is written, so that none is read twice. A
// claim is a lock of the system's, which ends with its process, however that ends.
// Ownership: borrows the environment. Threads: any.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "storage/catalogue/records.h"
#include "storage/env/file_env.h"

namespace mneme::rag {

using FileClaim = std::unique_ptr<storage::FileLock>;  // null: nobody else can be kept away, so it goes on without

class FileClaims {
 public:
  FileClaims(storage::FileEnv& env, std::string lock_path, storage::CollectionId collection);

  // Unset: another run has it, at this moment.
  std::optional<FileClaim> try_claim(const std::string& path) const;

 private:
  storage::FileEnv& env_;
  const std::string lock_path_;
  const storage::CollectionId collection_;
};

}  // namespace mneme::rag
