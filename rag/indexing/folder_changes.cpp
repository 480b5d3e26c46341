#include "rag/indexing/folder_changes.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace mneme::rag {
namespace {

constexpr size_t kMostPaths = 4096;  // beyond, a whole walk costs little more than looking at each

}  // namespace

FolderChanges FolderChanges::anywhere() {
  FolderChanges changes;
  changes.anywhere_ = true;
  return changes;
}

void FolderChanges::set_anywhere() {
  anywhere_ = true;
  paths_.clear();
}

void FolderChanges::add(std::string path) {
  if (anywhere_) return;
  paths_.insert(std::move(path));
  if (paths_.size() > kMostPaths) set_anywhere();
}

void FolderChanges::add(const FolderChanges& more) {
  if (more.anywhere_) return set_anywhere();
  for (const std::string& path : more.paths_) add(path);
}

std::vector<std::string> FolderChanges::places() const {
  std::vector<std::string> places;
  for (const std::string& path : paths_) {
    // Between a folder and what lies in it may stand its neighbours ("a", "a!", "a/b").
    bool is_covered = false;
    for (size_t slash = path.rfind('/'); !is_covered && slash != std::string::npos && slash > 0;
         slash = path.rfind('/', slash - 1)) {
      is_covered = paths_.contains(path.substr(0, slash));
    }
    if (!is_covered) places.push_back(path);
  }
  return places;
}

bool is_at_or_below(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_at_or_below_any(std::string_view path, const std::vector<std::string>& folders) {
  const auto is_folder = [&](size_t end) {
    return std::binary_search(folders.begin(), folders.end(), path.substr(0, end), std::less<>());
  };
  if (is_folder(path.size()) || is_folder(1)) return true;
  for (size_t slash = path.find('/', 1); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    if (is_folder(slash)) return true;
  }
  return false;
}

}  // namespace mneme::rag
