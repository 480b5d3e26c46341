// Folders into the catalogue: walker -> readers, chunker and embedder on worker threads -> one catalogue writer.
//
// A file is skipped when size and time are those recorded, else when its content hash is; files that vanished are
// removed, files that moved keep their passages and vectors. One transaction per document: a crash or Ctrl-C loses at
// most the documents in work. What cannot be read is reported per file and the rest goes on.
// A run can be paused and told what is wanted first from any process on the home (index_control.h).
// Skipped by rule: hidden files, what .gitignore and .mnemeignore name, links already followed.
// Ownership: borrows its Workspace. Threads: one run() at a time; callbacks come from the calling thread.
#pragma once

#include <functional>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/indexing/index_options.h"
#include "rag/indexing/index_report.h"

namespace mneme::rag {

class Workspace;

class Indexer {
 public:
  explicit Indexer(Workspace& workspace) : workspace_(workspace) {}

  // kNotFound when a path does not exist, kIo or kNoSpace when the catalogue cannot be written: then what was
  // committed before stays. Failures of single files are in the report.
  Result<IndexReport> run(const IndexOptions& options, const IndexCallbacks& callbacks = {},
                          const CancelToken& cancel = never_cancelled());

  // Runs, then runs over what changed whenever something below the paths does, until cancelled; `done` gets every
  // report. What links lead to, and what the watcher cannot tell, makes a run over everything. A failing run (the disk
  // is full) is told to `failed` and tried again after a while, or at the next change; one that failed because a folder
  // vanished, when that is back. A file that failed is tried again when it was written to.
  Status watch(const IndexOptions& options, const IndexCallbacks& callbacks,
               const std::function<void(const IndexReport&)>& done, const CancelToken& cancel);

 private:
  Workspace& workspace_;
};

}  // namespace mneme::rag
