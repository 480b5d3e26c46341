// What an index run is to do, and whom it tells of it. Threads: values.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rag/indexing/index_report.h"

namespace mneme::rag {

class FolderChanges;
class LastingFailures;

// When the KV caches of a collection's passages are computed: never, behind the answers that need them, or at once,
// which is for whoever runs the indexer to do (kv_job.h).
enum class KvPolicy { kOff, kLazy, kNow };

struct IndexOptions {
  std::vector<std::string> paths;  // files and folders
  std::string collection = "default";
  std::optional<KvPolicy> kv{};  // kept with the collection (kv_reuse/kv_collections.h); none: as before, at first lazy
  bool ocr = false;
  int n_threads = 0;  // 0: physical cores
  // Larger files are reported, not read; archives, mailboxes and texts in parts, which are read by pieces, may be
  // larger.
  uint64_t limit_file_bytes = uint64_t{1} << 30;
  uint64_t limit_container_bytes = uint64_t{64} << 30;
  // For one folder, file, or member of a container; on a network it may never answer.
  std::chrono::milliseconds limit_file_time{60'000};
  bool include_hidden = false;
  bool use_ignore_files = true;
  LastingFailures* lasting_failures = nullptr;  // of the runs before: not read again while they are as they were
  // Where something changed since a run over the same paths: nothing else is looked at, and the report tells of nothing
  // else but lasting failures. Null: everything is.
  const FolderChanges* changes = nullptr;
  bool remember_roots = true;  // the paths are what this collection is made from, and what later runs look at
  std::chrono::milliseconds watch_retry{5'000};  // watching, after a run that failed; twice that after each further one
  bool respect_pause = false;  // wait when the home's indexing is paused (index_control.h); else beginning lifts it
};

struct IndexCallbacks {
  std::function<void(const IndexProgress&)> progress;  // about ten times a second
  std::function<void(const IndexFailure&)> failed;     // as it happens
  // Each file that was looked into, as it was dealt with.
  std::function<void(const std::string& path)> looked_into = {};
  // True once the run has waited a second for another program that writes to the library (one that compacts it takes
  // minutes), false when it goes on. On a thread that writes, which it may not use the catalogue on.
  std::function<void(bool waits)> waits_for_others = {};
};

}  // namespace mneme::rag
