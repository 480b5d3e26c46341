#include "storage/home.h"

#include "storage/env/temporary_file.h"

namespace mneme::storage {

Result<Home> open_home(FileEnv& env, std::string_view root) {
  while (root.size() > 1 && root.ends_with('/')) root.remove_suffix(1);
  if (root.empty()) return usage_error("the home folder has no name; give one with --home");
  Home home{std::string(root)};
  for (const std::string& folder :
       {home.root, home.index_folder(), home.kv_folder(), home.models_folder(), home.log_folder()}) {
    MNEME_RETURN_IF_ERROR(env.make_directories(folder));
  }
  // What killed writers left is a matter of space, not of opening.
  for (const std::string& folder : {home.index_folder(), home.models_folder()}) (void)erase_abandoned(env, folder);
  return home;
}

}  // namespace mneme::storage
