// Finds the files below the paths a user named. Links are followed once; hidden and ignored paths are left out, and
// what is the program's own or the kernel's (/proc, /sys).
// What cannot be looked at becomes a problem, and the walk goes on. A walk of some places alone finds there what a
// whole one would. Paths are absolute and are the system's bytes. Threads: one walk per call; reentrant.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

class OwnPlaces;

struct WalkOptions {
  bool include_hidden = false;
  bool use_ignore_files = true;
  bool pictures = false;                       // are read, too (OCR)
  std::chrono::milliseconds patience{60'000};  // with a folder that does not answer; it becomes a problem then
  const OwnPlaces* own = nullptr;              // left out below the paths the user named; null: nothing is
};

struct FoundFile {
  std::string path;
  storage::FileState state;
};

struct WalkProblem {
  std::string path;
  std::string error;
  bool hides_folder = false;  // what lies below is unknown: nothing there may be taken for deleted
};

struct WalkResult {
  std::vector<std::string> roots;      // as given, absolute and normalised
  std::vector<std::string> looked_at;  // the files and folders that the rest tells of, sorted: the roots, or places
  bool is_whole = true;                // looked_at is all roots
  std::vector<FoundFile> files;        // each once, by path
  std::vector<WalkProblem> problems;
  uint64_t skipped =
      0;  // hidden, ignored, the program's own, the kernel's, sockets and devices, kinds that are never documents
};

// kNotFound when one of `paths` does not exist; kResource when one of them does not answer; kCancelled.
Result<WalkResult> walk_files(const std::vector<std::string>& paths, const WalkOptions& options,
                              const std::function<void(uint64_t n_files)>& progress, const CancelToken& cancel);

// The same of `places` alone, files and folders at or below `paths` or gone from there: costs what lies in them and the
// rules of the folders above. Nothing where only a whole walk tells: a link is on the way, or one of `paths` is not
// there.
Result<std::optional<WalkResult>> walk_places(const std::vector<std::string>& paths,
                                              const std::vector<std::string>& places, const WalkOptions& options,
                                              const CancelToken& cancel);

// A path as the catalogue stores it: absolute, without `.`, `..` and doubled slashes; links are left as they are.
std::string absolute_path(const std::string& path);

}  // namespace mneme::rag
