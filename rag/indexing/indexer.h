// Folders into the catalogue: walker -> readers, chunker and embedder on worker threads -> one catalogue writer.
//
// A file is skipped when size and time are those recorded, else when its content hash is; files that vanished are
// removed, files that moved keep their passages and vectors. One transaction per document: a crash or Ctrl-C loses at
// most the documents in work. What cannot be read is reported per file and the rest goes on.
// A run can be paused and told what is wanted first from any process on the home (index_control.h).
// Skipped by rule: hidden files, what .gitignore and .mnemeignore name, links already followed.
// Ownership: borrows its Workspace. Threads: one run() at a time; callbacks come from the calling thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"

namespace mneme::rag {

class Workspace;

enum class KvPolicy { kOff, kLazy, kNow };  // when the KV caches of new passages are computed

struct IndexOptions {
  std::vector<std::string> paths;  // files and folders
  std::string collection = "default";
  KvPolicy kv = KvPolicy::kLazy;
  bool ocr = false;
  int n_threads = 0;                                  // 0: physical cores
  uint64_t limit_file_bytes = uint64_t{1} << 30;      // larger files are reported, not read
  std::chrono::milliseconds limit_file_time{60'000};  // for one file or folder; on a network it may never answer
  bool include_hidden = false;
  bool use_ignore_files = true;
  bool remember_roots = true;  // the paths are what this collection is made from, and what later runs look at
  bool respect_pause = false;  // wait when the home's indexing is paused (index_control.h); else beginning lifts it
};

struct IndexProgress {
  uint64_t documents_done = 0;   // indexed, unchanged or failed
  uint64_t documents_total = 0;  // found so far; final when `counting` is false
  uint64_t bytes_done = 0;
  uint64_t bytes_total = 0;
  uint64_t chunks = 0;
  bool counting = true;      // the walker is still finding files
  bool paused = false;       // waits for IndexControl::resume()
  std::string current_file;  // last one finished
  double seconds = 0.0;      // without the time paused
  double bytes_per_s = 0.0;
  double eta_s = -1.0;  // -1: unknown yet
};

struct IndexFailure {
  std::string path;
  std::string error;  // one sentence
};

// The `done` event of `index --json`.
struct IndexReport {
  uint64_t documents = 0;  // new or changed, now indexed
  uint64_t unchanged = 0;
  uint64_t removed = 0;
  uint64_t renamed = 0;  // moved without a change; not counted in documents
  std::vector<IndexFailure> failed;
  uint64_t chunks = 0;   // of the documents indexed now
  uint64_t tokens = 0;   // estimated
  uint64_t bytes = 0;    // of source files read
  uint64_t skipped = 0;  // by ignore rules, hidden, not a regular file
  double seconds = 0.0;
  bool interrupted = false;  // cancelled: what is finished is kept
};

struct IndexCallbacks {
  std::function<void(const IndexProgress&)> progress;  // about ten times a second
  std::function<void(const IndexFailure&)> failed;     // as it happens
};

class Indexer {
 public:
  explicit Indexer(Workspace& workspace) : workspace_(workspace) {}

  // kNotFound when a path does not exist, kIo or kNoSpace when the catalogue cannot be written: then what was
  // committed before stays. Failures of single files are in the report.
  Result<IndexReport> run(const IndexOptions& options, const IndexCallbacks& callbacks = {},
                          const CancelToken& cancel = never_cancelled());

  // Runs, then runs again whenever something below the paths changes, until cancelled; `done` gets every report. A
  // failing run (the disk is full, a folder vanished) is told to `failed` and tried again at the next change.
  Status watch(const IndexOptions& options, const IndexCallbacks& callbacks,
               const std::function<void(const IndexReport&)>& done, const CancelToken& cancel);

 private:
  Workspace& workspace_;
};

}  // namespace mneme::rag
