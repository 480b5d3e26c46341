// A home of its own in which every document of a question set is a file, indexed and open: what retrieval and refusing
// are measured in. Ownership: the files go with it. Threads: one owner.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/context.h"
#include "app/eval/eval_set.h"
#include "app/temporary_folder.h"
#include "base/status.h"
#include "rag/workspace.h"

namespace mneme::app {

class EvalHome {
 public:
  // folder: its files are indexed instead of the documents; empty: the documents. with_model: whether the context's
  // language model may be opened. kCancelled when it was interrupted.
  static Result<EvalHome> make(const Context& context, const std::vector<EvalContext>& documents,
                               const std::string& folder, bool with_model);

  rag::Workspace& workspace() { return *workspace_; }
  // Where document `number` lies.
  std::string path_of(int number) const;
  // And back; -1 for other files.
  static int number_of(const std::string& path);

 private:
  EvalHome(TemporaryFolder folder, std::unique_ptr<rag::Workspace> workspace)
      : folder_(std::move(folder)), workspace_(std::move(workspace)) {}

  TemporaryFolder folder_;
  std::unique_ptr<rag::Workspace> workspace_;  // closed before its folder goes
};

}  // namespace mneme::app
