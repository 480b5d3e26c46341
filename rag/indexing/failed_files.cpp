#include "rag/indexing/failed_files.h"

#include <filesystem>
#include <set>
#include <utility>

#include "rag/text/path_names.h"

namespace mneme::rag {

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
    std::error_code error;
    if (std::filesystem::exists(path, error)) paths.insert(std::move(path));
  }
  return std::vector<std::string>(paths.begin(), paths.end());
}

}  // namespace mneme::rag
