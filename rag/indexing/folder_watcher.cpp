#include "rag/indexing/folder_watcher.h"

#include <dirent.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "rag/indexing/file_walker.h"
#include "rag/indexing/folder_look.h"
#include "rag/text/path_names.h"

namespace mneme::rag {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kEvents =
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
constexpr int kMaxDepth = 200;
constexpr std::chrono::milliseconds kTick{50};
constexpr std::chrono::milliseconds kLongestRecheck{3'600'000};

// A symbolic link, or one more name of a file: there is nothing to write, and so to close.
bool is_link(const std::string& path) {
  struct stat s;
  return ::lstat(path.c_str(), &s) == 0 && (S_ISLNK(s.st_mode) || s.st_nlink > 1);
}

bool leads_to_folder(const std::string& link) {
  struct stat s;
  return ::lstat(link.c_str(), &s) == 0 && S_ISLNK(s.st_mode) && ::stat(link.c_str(), &s) == 0 && S_ISDIR(s.st_mode);
}

}  // namespace

FolderWatcher::FolderWatcher(const std::vector<std::string>& paths, const WatchOptions& options)
    : options_(options), recheck_(options.recheck) {
  for (const std::string& path : paths) paths_.push_back(absolute_path(path));
  if (options_.use_inotify) inotify_.reset(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  for (const std::string& path : paths_) {
    struct stat s;
    const bool found = ::stat(path.c_str(), &s) == 0;
    identities_.push_back(found ? Identity(s.st_dev, s.st_ino) : Identity());
    watch_root(path, found && S_ISDIR(s.st_mode));
  }
}

void FolderWatcher::watch_root(const std::string& path, bool is_folder) {
  if (polls()) return;
  if (is_folder) return watch_tree(path, 0);
  // Editors replace files: the folder of a file is watched, not the file.
  const std::string folder = path.substr(0, std::max<size_t>(path.rfind('/'), 1));
  const int watch = ::inotify_add_watch(inotify_.get(), folder.c_str(), kEvents);
  if (watch >= 0) folders_[watch] = folder;
}

void FolderWatcher::stop_watching() {
  inotify_.reset();
  folders_.clear();
}

bool FolderWatcher::concerns(std::string_view name) const {
  return options_.include_hidden || !name.starts_with('.') || name == ".gitignore" || name == ".mnemeignore";
}

// Links to folders are followed, as the walk follows them; by_link: one was on the way, and may have led back.
void FolderWatcher::watch_tree(const std::string& folder, int depth, bool by_link) {
  if (polls() || depth > kMaxDepth) return;
  const int watch = ::inotify_add_watch(inotify_.get(), folder.c_str(), kEvents);
  if (watch < 0) {
    // ENOSPC: the user's watches are used up. Half-watched is worse than polled.
    if (errno == ENOSPC || errno == ENOMEM) stop_watching();
    return;
  }
  if (by_link && folders_.contains(watch)) return;
  folders_[watch] = folder;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(folder.c_str()), ::closedir);
  if (directory == nullptr) return;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the handle is this call's own
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == ".." || !concerns(name)) continue;
    const std::string path = folder + "/" + std::string(name);
    struct stat s;
    if (::lstat(path.c_str(), &s) != 0) continue;
    const bool leads_elsewhere = S_ISLNK(s.st_mode);
    if (leads_elsewhere && ::stat(path.c_str(), &s) != 0) continue;
    if (S_ISDIR(s.st_mode)) watch_tree(path, depth + 1, by_link || leads_elsewhere);
    if (polls()) return;
  }
}

void FolderWatcher::unwatch_tree(const std::string& folder) {
  for (auto at = folders_.begin(); at != folders_.end();) {
    if (!lies_in(at->second, folder)) {
      ++at;
      continue;
    }
    ::inotify_rm_watch(inotify_.get(), at->first);
    at = folders_.erase(at);
  }
}

// The kernel watches folders, not their names: what is made or mounted at the name of one that has gone is another.
bool FolderWatcher::watch_again(const CancelToken& cancel) {
  const Result<std::vector<FolderEntry>> looked = look_at_all(paths_, options_.recheck, cancel);
  // Each look at a folder that does not answer leaves a thread behind: fewer and fewer looks then.
  recheck_ = looked.ok() ? options_.recheck : std::min(4 * recheck_, kLongestRecheck);
  bool changed = false;
  for (size_t i = 0; looked.ok() && i < paths_.size() && !polls(); ++i) {
    const FolderEntry& found = (*looked)[i];
    const bool there = found.error == 0 && found.link_error == 0;
    const Identity now = there ? Identity(found.info.st_dev, found.info.st_ino) : Identity();
    const bool is_folder = there && S_ISDIR(found.info.st_mode);
    if (std::exchange(identities_[i], now) == now || !is_folder) continue;
    unwatch_tree(paths_[i]);
    watch_tree(paths_[i], 0);
    const Result<FolderNames> names = list_folder(paths_[i], false, options_.recheck, cancel);
    changed |= names.ok() && !names->names.empty();
  }
  return changed;
}

bool FolderWatcher::read_events() {
  alignas(inotify_event) char buffer[16384];
  bool any = false;
  for (;;) {
    const ssize_t n = ::read(inotify_.get(), buffer, sizeof buffer);
    if (n <= 0) return any;
    for (ssize_t at = 0; at + static_cast<ssize_t>(sizeof(inotify_event)) <= n;) {
      inotify_event event;
      std::memcpy(&event, buffer + at, sizeof event);
      const char* name_bytes = buffer + at + sizeof event;
      const std::string name(name_bytes, ::strnlen(name_bytes, event.len));
      at += static_cast<ssize_t>(sizeof event + event.len);
      if (event.mask & IN_Q_OVERFLOW) {
        // More came, during a long run, than the kernel keeps: new folders may be among what was dropped.
        any = true;
        for (const std::string& root : paths_) watch_tree(root, 0);
        if (polls()) return true;
      }
      if (event.mask & IN_IGNORED) folders_.erase(event.wd);
      if (name.empty() ? (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF)) == 0 : !concerns(name)) continue;
      const auto folder = folders_.find(event.wd);
      const std::string path = folder == folders_.end() ? "" : folder->second + "/" + name;
      const bool is_folder = (event.mask & IN_ISDIR) != 0;
      // A file being written is reported when it is closed.
      if ((event.mask & IN_CREATE) && !is_folder && !is_link(path)) continue;
      any = true;
      if (path.empty() || (event.mask & (IN_CREATE | IN_MOVED_TO)) == 0) continue;
      if (is_folder || leads_to_folder(path)) watch_tree(path, 0, !is_folder);
      if (polls()) return true;
    }
  }
}

Status FolderWatcher::wait(const CancelToken& cancel, std::chrono::milliseconds most) {
  const Clock::time_point start = Clock::now();
  Clock::time_point rechecked = start;
  Clock::time_point first_change{};
  Clock::time_point last_change{};
  for (;;) {
    if (cancel.cancelled()) return cancelled();
    const Clock::time_point now = Clock::now();
    if (now - start >= most) return {};
    if (polls()) {
      if (now - start >= options_.poll) return {};
      std::this_thread::sleep_for(std::min<Clock::duration>(kTick, options_.poll));
      continue;
    }
    pollfd poll_fd{inotify_.get(), POLLIN, 0};
    bool changed = ::poll(&poll_fd, 1, static_cast<int>(kTick.count())) > 0 && read_events();
    if (!polls() && now - rechecked >= recheck_) {
      changed |= watch_again(cancel);
      rechecked = Clock::now();
    }
    if (changed) {
      last_change = Clock::now();
      if (first_change == Clock::time_point{}) first_change = last_change;
    }
    if (first_change == Clock::time_point{}) continue;
    if (Clock::now() - last_change >= options_.quiet || Clock::now() - first_change >= options_.longest) return {};
  }
}

}  // namespace mneme::rag
