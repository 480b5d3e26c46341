#include "rag/indexing/index_failures.h"

#include <algorithm>

#include "rag/indexing/failed_files.h"
#include "rag/indexing/folder_changes.h"
#include "rag/indexing/index_plan.h"
#include "rag/indexing/lasting_failures.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

bool was_found(const WalkResult& walk, const std::string& path) {
  const auto at = std::lower_bound(walk.files.begin(), walk.files.end(), path,
                                   [](const FoundFile& file, const std::string& wanted) { return file.path < wanted; });
  return at != walk.files.end() && at->path == path;
}

}  // namespace

Status IndexFailures::record(const std::string& path, const FoundFile& file, const std::string& error) {
  report_.failed.push_back({path, error});
  if (callbacks_.failed) callbacks_.failed(report_.failed.back());
  storage::FailureRecord record;
  record.collection = collection_;
  record.path = path;
  record.size_bytes = file.state.size_bytes;
  record.mtime_ns = file.state.mtime_ns;
  record.error = error;
  return catalogue_.record_failure(record);
}

Status IndexFailures::record_file(const FoundFile& file, const Status& status) {
  if (lasting_ != nullptr) lasting_->note(file, status);
  return record(file.path, file, status.message());
}

Status IndexFailures::forget_members_of(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::FailureRecord> failures,
                         catalogue_.member_failures(collection_, path));
  for (const storage::FailureRecord& failure : failures) {
    if (reported().contains(failure.path)) continue;
    MNEME_RETURN_IF_ERROR(catalogue_.clear_failure(collection_, failure.path));
  }
  return {};
}

Status IndexFailures::forget_stale(const WalkResult& walk) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::FailureRecord> failures, catalogue_.failures(collection_));
  for (const storage::FailureRecord& failure : failures) {
    if (!is_at_or_below_any(failure.path, walk.looked_at)) continue;
    if (was_found(walk, failure.path) || reported().contains(failure.path)) continue;
    if (file_of_document(failure.path) != failure.path) continue;  // a member's go with its container
    MNEME_RETURN_IF_ERROR(catalogue_.clear_failure(collection_, failure.path));
  }
  return {};
}

// Goes on where it ended: asked for every container of a run, the report is not read from its beginning each time.
const std::unordered_set<std::string>& IndexFailures::reported() {
  for (; n_reported_ < report_.failed.size(); ++n_reported_) reported_.insert(report_.failed[n_reported_].path);
  return reported_;
}

}  // namespace mneme::rag
