// Tries out the model of a conversation while people read and type: what `mneme model add` does, for a model that was
// not added, or whose measuring was interrupted. Questions go first. Threads: one at a time per object.
#pragma once

#include <future>
#include <string>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/workspace.h"

namespace mneme::app {

class TrialBeside {
 public:
  // interrupt: the user's wish to stop.
  TrialBeside(rag::Workspace& workspace, std::string kv_level, const CancelToken& interrupt)
      : workspace_(workspace), kv_level_(std::move(kv_level)), cancel_(&interrupt) {}
  // What was begun is given up; the next conversation begins it anew.
  ~TrialBeside() { cancel_.cancel(); }
  TrialBeside(const TrialBeside&) = delete;
  TrialBeside& operator=(const TrialBeside&) = delete;

  // Once; does nothing where no model is open or it was tried out before.
  void begin();

 private:
  rag::Workspace& workspace_;
  const std::string kv_level_;
  CancelToken cancel_;
  bool begun_ = false;
  std::future<Status> work_;  // last: ends, and is waited for, before what it works on
};

}  // namespace mneme::app
