#include "storage/home.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "storage/encryption/encrypted_header.h"
#include "storage/encryption/home_key.h"
#include "storage/env/temporary_file.h"
#include "storage/home_conversion.h"
#include "storage/home_files.h"
#include "storage/salvage/catalogue_repair.h"

namespace mneme::storage {

std::string Home::key() const {
  return root + "/" + std::string(kHomeKeyName);
}

std::string Home::key_lock() const {
  return key() + ".lock";
}

Result<Home> name_home(std::string_view root) {
  while (root.size() > 1 && root.ends_with('/')) root.remove_suffix(1);
  if (root.empty()) return usage_error("the home folder has no name; give one with --home");
  return Home{std::string(root)};
}

Result<bool> is_encrypted(FileEnv& env, const Home& home) {
  return is_there(env, home.key());
}

namespace {

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash == 0 ? 1 : slash);
}

// The home itself, with the folders that it lies in. A name that was not synced goes with the power, and with it
// whatever was synced below it; where a folder that was there before cannot be opened for that, so be it.
Status make_root(FileEnv& env, const std::string& root) {
  std::vector<std::string> changed;  // folders that get a name
  for (std::string part = root; part != "/" && part != "." && !env.stat(part).ok(); part = folder_of(part)) {
    changed.push_back(folder_of(part));
  }
  MNEME_RETURN_IF_ERROR(env.make_directories(root));
  for (const std::string& folder : changed) (void)env.sync_directory(folder);
  return {};
}

Status make_folders(FileEnv& env, const Home& home) {
  for (const std::string& folder : {home.index_folder(), home.kv_folder(), home.models_folder(), home.log_folder()}) {
    const Status made = env.make_directories(folder);
    // Names take room: a home whose disk is full opens for reading, like one on a read-only medium.
    if (!made.ok() && made.code() != StatusCode::kNoSpace) return made;
  }
  return {};
}

}  // namespace

Result<Home> open_home(FileEnv& env, std::string_view root) {
  MNEME_ASSIGN_OR_RETURN(Home home, name_home(root));
  MNEME_ASSIGN_OR_RETURN(const bool encrypted, is_encrypted(env, home));
  const bool has_key = env.encrypts(home.catalogue());
  if (encrypted && !has_key) {
    return usage_error("the home " + home.root +
                       " is encrypted; name a file that holds its passphrase with --passphrase-file FILE");
  }
  MNEME_RETURN_IF_ERROR(make_root(env, home.root));
  // What can only be read is read as it is: a cache that is not there is an empty one.
  const bool writable = env.check_writable(home.root).ok();
  if (writable) MNEME_RETURN_IF_ERROR(make_folders(env, home));
  MNEME_RETURN_IF_ERROR(settle_repair(env, home));
  MNEME_RETURN_IF_ERROR(settle_conversion(env, home, encrypted));
  // What killed writers left is a matter of space, not of opening.
  for (const std::string& folder : {home.index_folder(), home.models_folder()}) {
    if (writable) (void)erase_abandoned(env, folder);
  }
  if (writable) (void)erase_abandoned(env, home.root, has_temporary_names);
  return home;
}

Status why_not_opened(FileEnv& env, const Home& home, Status failure) {
  if (failure.code() != StatusCode::kCorruption || env.encrypts(home.catalogue())) return failure;
  const Result<std::unique_ptr<ReadableFile>> file = env.open_readable(home.catalogue());
  std::array<std::byte, 16> beginning{};
  if (!file.ok() || (*file)->size() < beginning.size() || !(*file)->read_at(0, beginning).ok()) return failure;
  if (!begins_encrypted(beginning)) return failure;
  return corruption("the home " + home.root + " is encrypted, but the file of its key, " + home.key() +
                    ", is missing; put it back from a copy");
}

}  // namespace mneme::storage
