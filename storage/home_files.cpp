#include "storage/home_files.h"

#include "storage/catalogue/files_put_aside.h"
#include "storage/encryption/home_key.h"
#include "storage/env/temporary_file.h"

namespace mneme::storage {

bool is_home_file(std::string_view name) {
  const std::string_view lasting = lasting_name(name);
  return has_temporary_names(lasting) || lasting == "config.toml" || lasting == "indexing.lock" ||
         lasting == "indexing.claims" || (lasting.starts_with(kHomeKeyName) && lasting.ends_with(".lock"));
}

bool is_damaged_catalogue(std::string_view name) {
  return name.starts_with(kCatalogueName) && name.substr(kCatalogueName.size()).starts_with(kDamagedEnding);
}

bool has_temporary_names(std::string_view name) {
  // The catalogue itself, its log, and its backups.
  return name.starts_with(kCatalogueName) || name == kHomeKeyName || name == kWindowMemoryName;
}

}  // namespace mneme::storage
