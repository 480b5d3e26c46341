#include "rag/indexing/failed_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "rag/text/path_names.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

std::string file_of_document(const std::string& path) {
  return path.substr(0, path.find(kMemberMark));
}

Result<std::vector<std::string>> failed_paths(storage::Catalogue& catalogue, const std::string& collection) {
  MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord record, catalogue.find_collection(collection));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::FailureRecord> failures, catalogue.failures(record.id));
  std::vector<std::string> paths;
  for (const storage::FailureRecord& failure : failures) {
    std::string path = file_of_document(failure.path);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace mneme::rag
