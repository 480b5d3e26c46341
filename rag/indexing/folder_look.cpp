#include "rag/indexing/folder_look.h"

#include <dirent.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <span>

#include "rag/readers/stall_guard.h"
#include "storage/env/file_env.h"

namespace mneme::rag {

namespace {

constexpr uint64_t kIgnoreFileLimit = 1 << 20;
constexpr size_t kEntriesAtATime = 256;

constexpr std::array<const char*, 2> kIgnoreFiles = {".gitignore", ".mnemeignore"};  // sorted

// `names`: those of the folder that may be ignore files.
std::string read_rules(const std::string& folder, std::span<const std::string> names) {
  const std::string prefix = folder == "/" ? folder : folder + "/";
  std::string rules;
  for (const char* name : kIgnoreFiles) {
    if (!std::binary_search(names.begin(), names.end(), name)) continue;
    const auto bytes = storage::read_whole(storage::FileEnv::posix(), prefix + name, kIgnoreFileLimit);
    if (bytes.ok()) rules.append(as_text(*bytes)).append("\n");
  }
  return rules;
}

Status list(const std::string& path, bool with_rules, FolderNames& found) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
  if (directory == nullptr) return errno_error("list the folder", path, errno);
  for (;;) {
    errno = 0;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the handle is this call's own
    const dirent* entry = ::readdir(directory.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") found.names.emplace_back(name);
  }
  found.error = errno;
  std::sort(found.names.begin(), found.names.end());
  if (with_rules) found.rules = read_rules(path, found.names);
  return {};
}

bool leads_back(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  const std::string parent = path.substr(0, path.rfind('/'));
  const std::unique_ptr<char, void (*)(void*)> real_parent(::realpath(parent.c_str(), nullptr), std::free);
  if (real == nullptr || real_parent == nullptr) return false;
  const std::string target = std::string(real.get()) + "/";
  return (std::string(real_parent.get()) + "/").starts_with(target);
}

FolderEntry look_at(const std::string& path) {
  FolderEntry entry;
  entry.path = path;
  if (::lstat(path.c_str(), &entry.info) != 0) {
    entry.error = errno;
    return entry;
  }
  entry.is_link = S_ISLNK(entry.info.st_mode);
  if (!entry.is_link) return entry;
  if (::stat(path.c_str(), &entry.info) != 0) {
    entry.link_error = errno;
  } else {
    entry.leads_back = S_ISDIR(entry.info.st_mode) && leads_back(path);
  }
  return entry;
}

}  // namespace

// What the thread touches is its own (shared with the caller): the caller may be gone when the disk answers at last.

Result<FolderNames> list_folder(const std::string& path, bool with_rules, std::chrono::milliseconds patience,
                                const CancelToken& cancel) {
  const auto found = std::make_shared<FolderNames>();
  MNEME_RETURN_IF_ERROR(readers::run_guarded(path, patience, &cancel,
                                             [path, with_rules, found] { return list(path, with_rules, *found); }));
  return std::move(*found);
}

Result<std::string> read_folder_rules(const std::string& path, std::chrono::milliseconds patience,
                                      const CancelToken& cancel) {
  const auto rules = std::make_shared<std::string>();
  MNEME_RETURN_IF_ERROR(readers::run_guarded(path, patience, &cancel, [path, rules] {
    const std::vector<std::string> names(kIgnoreFiles.begin(), kIgnoreFiles.end());
    *rules = read_rules(path, names);
    return Status();
  }));
  return std::move(*rules);
}

Result<std::vector<FolderEntry>> look_at_all(const std::vector<std::string>& paths, std::chrono::milliseconds patience,
                                             const CancelToken& cancel) {
  std::vector<FolderEntry> all;
  all.reserve(paths.size());
  for (size_t begin = 0; begin < paths.size(); begin += kEntriesAtATime) {
    const auto first = paths.begin() + static_cast<ptrdiff_t>(begin);
    const auto count = static_cast<ptrdiff_t>(std::min(kEntriesAtATime, paths.size() - begin));
    const auto found = std::make_shared<std::vector<FolderEntry>>();
    const auto look = [some = std::vector<std::string>(first, first + count), found] {
      for (const std::string& path : some) found->push_back(look_at(path));
      return Status();
    };
    MNEME_RETURN_IF_ERROR(readers::run_guarded(*first, patience, &cancel, look));
    std::move(found->begin(), found->end(), std::back_inserter(all));
  }
  return all;
}

bool is_folder(const std::string& path, std::chrono::milliseconds patience, const CancelToken& cancel) {
  const Result<std::vector<FolderEntry>> looked = look_at_all({path}, patience, cancel);
  if (!looked.ok()) return true;
  const FolderEntry& found = looked->front();
  return found.error == 0 && found.link_error == 0 && S_ISDIR(found.info.st_mode);
}

}  // namespace mneme::rag
