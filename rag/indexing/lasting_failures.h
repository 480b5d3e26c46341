// Files that will fail as they did as long as nobody writes to them: damaged ones, scans without text. Of those beyond
// a limit of memory or time nobody knows, as the machine may have been busy: they are tried again after a while, each
// time a longer one. Who watches a folder keeps them, so that not every edit of one file reads all of them once more.
// Ownership: values. Threads: the run's own.
#pragma once

#include <chrono>
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
  using Clock = std::chrono::steady_clock;
  void note(const FoundFile& file, const Status& status, Clock::time_point now = Clock::now());

  // Takes the files that are as they were when they failed out of the plan; gives them with what they failed with.
  std::vector<IndexFailure> take_out_of(IndexPlan& plan, Clock::time_point now = Clock::now()) const;

 private:
  struct Failed {
    FoundFile file;
    std::string error;
    Clock::time_point until;  // from then on it is tried again
    Clock::duration waits{};  // how long that was
  };
  std::map<std::string, Failed> failed_;  // by path
};

}  // namespace mneme::rag
