// One folder as it stands: names, what they are, and its ignore files. Read on a thread that can be left behind
// (rag/readers/stall_guard.h), since a network folder that has stopped answering answers to none of the calls.
// Paths are the system's bytes. Threads: pure functions.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"

namespace mneme::rag {

struct FolderEntry {
  std::string name;
  struct stat is = {};  // of what a link leads to, where there is one
  bool is_link = false;
  bool leads_back = false;  // a link to a folder above it
  int error = 0;            // errno where it could not be looked at
};

struct FolderListing {
  std::vector<FolderEntry> entries;  // by name
  std::vector<std::string> rules;    // texts of .gitignore and .mnemeignore
  int error = 0;                     // errno where the list is not whole
};

// Errors: those of opening the folder; kResource when it took longer than `time`; kCancelled.
Result<FolderListing> list_folder(const std::string& path, std::chrono::milliseconds time, const CancelToken& cancel);

// What a path named by the user is; links are followed. Errors likewise; kNotFound.
Result<struct stat> look_at_path(const std::string& path, std::chrono::milliseconds time, const CancelToken& cancel);

}  // namespace mneme::rag
