#include "rag/indexing/own_places.h"

#include <vector>

#include "rag/workspace.h"
#include "storage/home.h"
#include "storage/home_files.h"

namespace mneme::rag {

OwnPlaces::OwnPlaces(const WorkspaceOptions& options) {
  const storage::Home home{options.home};
  std::vector<std::string> folders = options.kv.roots;
  folders.insert(folders.end(), {home.index_folder(), home.kv_folder(), home.models_folder(), home.log_folder()});
  struct stat s;
  for (const std::string& folder : folders) {
    if (::stat(folder.c_str(), &s) == 0) folders_.insert({s.st_dev, s.st_ino});
  }
  if (::stat(home.root.c_str(), &s) == 0) home_ = {s.st_dev, s.st_ino};
}

bool OwnPlaces::own_file(const struct stat& folder, std::string_view name) const {
  return home_ == std::pair<uint64_t, uint64_t>(folder.st_dev, folder.st_ino) && storage::is_home_file(name);
}

}  // namespace mneme::rag
