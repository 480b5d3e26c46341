// Files that will fail as they did as long as nobody writes to them: damaged ones, scans without text. Of those beyond
// a limit of memory or time nobody knows, as the machine may have been busy: they are tried again after a while, each
// time a longer one. Who watches a folder keeps them, so that not every edit of one file reads all of them once more,
// and so that a run that looks at what changed alone knows what else is to be tried again. Ownership: values. Threads:
// the run's own.
#pragma once

#include <chrono>
#include <map>
#include <set>
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

  // A run that begins: what it looks at and did not find is forgotten, folders that could not be listed are noted.
  void begin(const WalkResult& walk);

  // Files and folders that the next run is to look at whether they changed or not: those that failed for the moment,
  // and those whose time has come.
  std::vector<std::string> to_look_at_again(Clock::time_point now = Clock::now()) const;

  // What is known to fail and lies elsewhere than a run looks.
  std::vector<IndexFailure> not_below(const std::vector<std::string>& places) const;

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
  std::set<std::string> again_;           // paths of the others
};

}  // namespace mneme::rag
