// Looks at folders and what lies in them on a thread that may be left behind (rag/readers/stall_guard.h): a network
// folder that has stopped answering costs the walk `patience`, not its life.
// Paths are the system's bytes. Threads: reentrant.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"

namespace mneme::rag {

struct FolderNames {
  std::vector<std::string> names;  // sorted, without "." and ".."
  std::string rules;               // of .gitignore and .mnemeignore, in this order; empty unless asked for
  int error = 0;                   // errno when the list is not whole
};

struct FolderEntry {
  std::string path;
  struct stat info{};
  int error = 0;            // errno of looking at it; `info` says nothing then
  bool is_link = false;     // `info` is of what it leads to
  int link_error = 0;       // errno of following it
  bool leads_back = false;  // a link to a folder above it
};

// Errors: those of opening the folder; kResource when it took longer than `patience`; kCancelled.
Result<FolderNames> list_folder(const std::string& path, bool with_rules, std::chrono::milliseconds patience,
                                const CancelToken& cancel);

// The rules alone, of .gitignore and .mnemeignore, without listing the folder. Errors: kResource, kCancelled.
Result<std::string> read_folder_rules(const std::string& path, std::chrono::milliseconds patience,
                                      const CancelToken& cancel);

// One entry per path, in order; what cannot be looked at says so itself. `patience` is for a few hundred at a time, so
// that a large folder on a slow disk is not taken for one that hangs. Errors: kResource when it ran out; kCancelled.
Result<std::vector<FolderEntry>> look_at_all(const std::vector<std::string>& paths, std::chrono::milliseconds patience,
                                             const CancelToken& cancel);

// Whether there is a folder, or a link to one. One that does not answer in time counts as one.
bool is_folder(const std::string& path, std::chrono::milliseconds patience, const CancelToken& cancel);

}  // namespace mneme::rag
