// Files that will fail as they did as long as nobody writes to them: damaged ones, scans without text, those beyond a
// limit. Who watches a folder keeps them, so that not every edit of one file reads all of them once more.
// Ownership: values. Threads: the run's own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "rag/indexing/index_plan.h"
#include "rag/indexing/index_report.h"

namespace mneme::rag {

class LastingFailures {
 public:
  // What became of reading a file. One that was written to just now is not kept: it may be written to again within the
  // same tick of the clock.
  void note(const FoundFile& file, const Status& status);

  // Takes the files that are as they were when they failed out of the plan; gives them with what they failed with.
  std::vector<IndexFailure> take_out_of(IndexPlan& plan) const;

 private:
  struct Failed {
    FoundFile file;
    std::string error;
  };
  std::map<std::string, Failed> failed_;  // by path
};

}  // namespace mneme::rag
