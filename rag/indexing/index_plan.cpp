#include "rag/indexing/index_plan.h"

#include <algorithm>
#include <unordered_set>

#include "rag/indexing/file_loader.h"
#include "rag/text/documents/path_names.h"

namespace mneme::rag {

namespace {

// The walked file a document came from: its own path, or what stands before a member's mark. -1: none.
int64_t owner_of(const std::string& path, const std::unordered_map<std::string_view, size_t>& files) {
  if (const auto found = files.find(path); found != files.end()) return static_cast<int64_t>(found->second);
  for (size_t mark = path.find(kMemberMark); mark != std::string::npos; mark = path.find(kMemberMark, mark + 1)) {
    const auto found = files.find(std::string_view(path).substr(0, mark));
    if (found != files.end()) return static_cast<int64_t>(found->second);
  }
  return -1;
}

// Folders of which it is not known what lies in them.
class HiddenFolders {
 public:
  explicit HiddenFolders(const std::vector<WalkProblem>& problems) {
    for (const WalkProblem& problem : problems) {
      if (problem.hides_folder) folders_.insert(problem.path);
    }
  }
  // As lies_in() has it, of any of them: each place where the name of a folder may end is looked up.
  bool hold(std::string_view path) const {
    if (folders_.empty()) return false;
    if (folders_.contains(path) || folders_.contains("/")) return true;
    for (size_t slash = path.find('/', 1); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
      const bool is_mark = path.substr(slash - 1).starts_with(kMemberMark);
      if (folders_.contains(path.substr(0, slash))) return true;
      if (is_mark && folders_.contains(path.substr(0, slash - 1))) return true;
    }
    return false;
  }

 private:
  std::unordered_set<std::string_view> folders_;
};

}  // namespace

IndexPlan plan_index(const WalkResult& walk, std::vector<storage::DocumentState> states) {
  IndexPlan plan;
  std::unordered_map<std::string_view, size_t> files;
  files.reserve(walk.files.size());
  for (size_t i = 0; i < walk.files.size(); ++i) files.emplace(walk.files[i].path, i);

  const HiddenFolders hidden(walk.problems);
  std::vector<std::vector<storage::DocumentState>> known(walk.files.size());
  for (storage::DocumentState& state : states) {
    const int64_t owner = owner_of(state.path, files);
    if (owner >= 0) {
      known[static_cast<size_t>(owner)].push_back(std::move(state));
      continue;
    }
    if (!hidden.hold(state.path)) plan.missing.push_back(std::move(state));
  }
  for (size_t i = 0; i < walk.files.size(); ++i) {
    const FoundFile& file = walk.files[i];
    const bool same = !known[i].empty() && std::all_of(known[i].begin(), known[i].end(),
                                                       [&](const auto& state) { return state.file == file.state; });
    if (same) {
      plan.unchanged += known[i].size();
    } else {
      plan.work.push_back({file, std::move(known[i])});
      plan.work_bytes += file.state.size_bytes;
    }
  }
  return plan;
}

}  // namespace mneme::rag
