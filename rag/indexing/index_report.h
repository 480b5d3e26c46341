// How an index run goes, and what came of it. Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mneme::rag {

struct IndexProgress {
  uint64_t documents_done = 0;   // indexed, unchanged or failed
  uint64_t documents_total = 0;  // found so far; final when `counting` is false
  uint64_t bytes_done = 0;       // also of files that are being read
  uint64_t bytes_total = 0;
  uint64_t chunks = 0;
  bool counting = true;      // the walker is still finding files
  bool paused = false;       // waits for IndexControl::resume()
  std::string current_file;  // last one finished, or member of a container
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

}  // namespace mneme::rag
