#include "rag/indexing/failed_files.h"

#include <chrono>
#include <filesystem>
#include <set>
#include <utility>

#include "base/cancel.h"
#include "rag/indexing/folder_look.h"
#include "rag/text/documents/path_names.h"

namespace mneme::rag {
namespace {

// Not what is gone; nor links that lead nowhere or back to a folder above them: named, they would be followed. What
// does not answer is for the run to wait for.
bool can_be_tried(const std::string& path) {
  constexpr std::chrono::seconds kPatience{10};
  const auto looked = look_at_all({path}, kPatience, never_cancelled());
  if (!looked.ok()) return true;
  const FolderEntry& found = looked->front();
  return found.error == 0 && found.link_error == 0 && !found.leads_back;
}

}  // namespace

std::string file_of_document(const std::string& path) {
  for (size_t mark = path.find(kMemberMark); mark != std::string::npos; mark = path.find(kMemberMark, mark + 1)) {
    std::error_code error;
    const bool folder_of_that_name = std::filesystem::is_directory(path.substr(0, mark + 1), error);
    if (!folder_of_that_name) return path.substr(0, mark);
  }
  return path;
}

storage::Catalogue::Members members_of(const std::string& path) {
  using Members = storage::Catalogue::Members;
  std::error_code error;
  return std::filesystem::is_directory(path + "!", error) ? Members::kOthers : Members::kIncluded;
}

Result<std::vector<std::string>> failed_paths(storage::Catalogue& catalogue, const std::string& collection) {
  MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord record, catalogue.find_collection(collection));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::FailureRecord> failures, catalogue.failures(record.id));
  std::set<std::string> paths;
  for (const storage::FailureRecord& failure : failures) {
    std::string path = file_of_document(failure.path);
    if (can_be_tried(path)) paths.insert(std::move(path));
  }
  return std::vector<std::string>(paths.begin(), paths.end());
}

}  // namespace mneme::rag
