// Where everything lies under one home directory. Threads: values.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

inline constexpr std::string_view kIndexEnding = ".hnsw";

struct Home {
  std::string root;

  std::string catalogue() const { return root + "/catalog.db"; }
  std::string index_folder() const { return root + "/index"; }  // <collection>.hnsw: a cache
  std::string kv_folder() const { return root + "/kv"; }        // <2 hex>/<key>.kv: a cache
  std::string models_folder() const { return root + "/models"; }
  std::string log_folder() const { return root + "/log"; }
  std::string indexing_lock() const { return root + "/indexing.lock"; }      // held by an index run under way
  std::string indexing_claims() const { return root + "/indexing.claims"; }  // numbers of it: files that runs read
  std::string config() const { return root + "/config.toml"; }
  std::string key() const;       // there where the home is encrypted (storage/encryption)
  std::string key_lock() const;  // held by who changes that
};

Result<Home> name_home(std::string_view root);  // kUsage for no name; looks at nothing
Result<bool> is_encrypted(FileEnv& env, const Home& home);

// Makes the folders (0700) where they are missing and can be made (kIo where the home itself cannot), and ends a
// conversion or a repair that was cut off (home_conversion.h, salvage/catalogue_repair.h). kUsage for an encrypted home
// in an environment that has no key for it.
Result<Home> open_home(FileEnv& env, std::string_view root);

// What Catalogue::open() failed with, unless an encrypted catalogue was taken for a damaged one because the file of its
// key is missing. Not to be asked while the catalogue is open anywhere in this process: SQLite's locks on a file go
// with the first descriptor of it that is closed.
Status why_not_opened(FileEnv& env, const Home& home, Status failure);

}  // namespace mneme::storage
