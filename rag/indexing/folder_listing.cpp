#include "rag/indexing/folder_listing.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "rag/readers/stall_guard.h"
#include "storage/env/file_env.h"

namespace mneme::rag {

namespace {

constexpr uint64_t kIgnoreFileLimit = 1 << 20;
constexpr std::string_view kIgnoreFiles[] = {".gitignore", ".mnemeignore"};

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  return real == nullptr ? std::string() : std::string(real.get()) + "/";
}

FolderEntry look_at_entry(const std::string& folder, std::string name) {
  const std::string path = (folder == "/" ? folder : folder + "/") + name;
  FolderEntry entry{.name = std::move(name)};
  if (::lstat(path.c_str(), &entry.is) != 0) {
    entry.error = errno;
    return entry;
  }
  entry.is_link = S_ISLNK(entry.is.st_mode);
  if (!entry.is_link) return entry;
  if (::stat(path.c_str(), &entry.is) != 0) {
    entry.error = errno;
  } else if (S_ISDIR(entry.is.st_mode)) {
    const std::string target = real_path(path);
    entry.leads_back = !target.empty() && real_path(folder).starts_with(target);
  }
  return entry;
}

// What the listing thread and whoever waits for it share; the thread keeps it alive when it is left behind.
struct Listing {
  FolderListing found;
  CancelToken given_up;
};

Status read_folder(const std::string& path, Listing& listing) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
  if (directory == nullptr) return errno_error("list the folder", path, errno);
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(directory.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  listing.found.error = errno;
  std::sort(names.begin(), names.end());
  for (std::string& name : names) {
    if (listing.given_up.cancelled()) return cancelled();
    if (std::find(std::begin(kIgnoreFiles), std::end(kIgnoreFiles), name) != std::end(kIgnoreFiles)) {
      const auto bytes = storage::read_whole(storage::FileEnv::posix(), path + "/" + name, kIgnoreFileLimit);
      if (bytes.ok()) listing.found.rules.emplace_back(as_text(*bytes));
    }
    listing.found.entries.push_back(look_at_entry(path, std::move(name)));
  }
  return {};
}

}  // namespace

Result<FolderListing> list_folder(const std::string& path, std::chrono::milliseconds time, const CancelToken& cancel) {
  const auto listing = std::make_shared<Listing>();
  const Status status = readers::run_guarded("the folder " + path, time, &cancel,
                                             [path, listing] { return read_folder(path, *listing); });
  if (!status.ok()) {
    listing->given_up.cancel();
    return status;
  }
  return std::move(listing->found);
}

Result<struct stat> look_at_path(const std::string& path, std::chrono::milliseconds time, const CancelToken& cancel) {
  const auto is = std::make_shared<struct stat>();
  MNEME_RETURN_IF_ERROR(readers::run_guarded(path, time, &cancel, [path, is] {
    return ::stat(path.c_str(), is.get()) == 0 ? Status() : errno_error("index", path, errno);
  }));
  return *is;
}

}  // namespace mneme::rag
