#include "storage/home.h"

#include "storage/encryption/home_key.h"
#include "storage/env/temporary_file.h"
#include "storage/home_conversion.h"

namespace mneme::storage {

std::string Home::key() const {
  return root + "/" + std::string(kHomeKeyName);
}

Result<Home> name_home(std::string_view root) {
  while (root.size() > 1 && root.ends_with('/')) root.remove_suffix(1);
  if (root.empty()) return usage_error("the home folder has no name; give one with --home");
  return Home{std::string(root)};
}

Result<bool> is_encrypted(FileEnv& env, const Home& home) {
  const Status found = env.stat(home.key()).status();
  if (found.ok()) return true;
  return found.code() == StatusCode::kNotFound ? Result<bool>(false) : Result<bool>(found);
}

Result<Home> open_home(FileEnv& env, std::string_view root) {
  MNEME_ASSIGN_OR_RETURN(Home home, name_home(root));
  MNEME_ASSIGN_OR_RETURN(const bool encrypted, is_encrypted(env, home));
  if (encrypted && !env.encrypts(home.catalogue())) {
    return usage_error("the home " + home.root +
                       " is encrypted; name a file that holds its passphrase with "
                       "--passphrase-file FILE");
  }
  for (const std::string& folder :
       {home.root, home.index_folder(), home.kv_folder(), home.models_folder(), home.log_folder()}) {
    MNEME_RETURN_IF_ERROR(env.make_directories(folder));
  }
  MNEME_RETURN_IF_ERROR(settle_conversion(env, home, encrypted));
  // What killed writers left is a matter of space, not of opening.
  for (const std::string& folder : {home.index_folder(), home.models_folder()}) (void)erase_abandoned(env, folder);
  return home;
}

}  // namespace mneme::storage
