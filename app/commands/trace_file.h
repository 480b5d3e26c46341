// The option --trace of commands whose work can be looked at. Threads: one owner.
#pragma once

#include <string>

#include "app/output/output_path.h"
#include "base/status.h"
#include "base/trace.h"

namespace mneme::app {

// Starts a trace when one is wanted; write() when the command is done, whatever came of it.
class TraceFile {
 public:
  // path: where the Chrome trace goes; empty: none is made.
  explicit TraceFile(const std::string& path) : path_(path) {
    if (!path_.empty()) trace::start();
  }
  Status write() {
    if (path_.empty()) return {};
    return write_output_file(path_, trace::finish_json());
  }

 private:
  const std::string path_;
};

}  // namespace mneme::app
