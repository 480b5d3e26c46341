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

#include "rag/indexing/file_walker.h"

namespace mneme::rag {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kEvents =
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
constexpr int kMaxDepth = 200;
constexpr std::chrono::milliseconds kTick{50};

}  // namespace

FolderWatcher::FolderWatcher(const std::vector<std::string>& paths, const WatchOptions& options) : options_(options) {
  for (const std::string& path : paths) paths_.push_back(absolute_path(path));
  if (options_.use_inotify) inotify_.reset(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  for (const std::string& path : paths_) {
    struct stat s;
    const bool is_folder = ::stat(path.c_str(), &s) == 0 && S_ISDIR(s.st_mode);
    // Editors replace files: the folder of a file is watched, not the file.
    if (is_folder) {
      watch_tree(path, 0);
    } else if (!polls()) {
      const std::string folder = path.substr(0, std::max<size_t>(path.rfind('/'), 1));
      const int watch = ::inotify_add_watch(inotify_.get(), folder.c_str(), kEvents);
      if (watch >= 0) folders_[watch] = folder;
    }
  }
}

void FolderWatcher::stop_watching() {
  inotify_.reset();
  folders_.clear();
}

bool FolderWatcher::concerns(std::string_view name) const {
  return options_.include_hidden || !name.starts_with('.') || name == ".gitignore" || name == ".mnemeignore";
}

void FolderWatcher::watch_tree(const std::string& folder, int depth) {
  if (polls() || depth > kMaxDepth) return;
  const int watch = ::inotify_add_watch(inotify_.get(), folder.c_str(), kEvents);
  if (watch < 0) {
    // ENOSPC: the user's watches are used up. Half-watched is worse than polled.
    if (errno == ENOSPC || errno == ENOMEM) stop_watching();
    return;
  }
  folders_[watch] = folder;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(folder.c_str()), ::closedir);
  if (directory == nullptr) return;
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == ".." || !concerns(name)) continue;
    const std::string path = folder + "/" + std::string(name);
    struct stat s;
    if (::lstat(path.c_str(), &s) == 0 && S_ISDIR(s.st_mode)) watch_tree(path, depth + 1);
    if (polls()) return;
  }
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
      if (event.mask & IN_Q_OVERFLOW) any = true;
      if (event.mask & IN_IGNORED) folders_.erase(event.wd);
      if (name.empty() ? (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF)) == 0 : !concerns(name)) continue;
      // A file being written is reported when it is closed.
      if ((event.mask & IN_CREATE) && !(event.mask & IN_ISDIR)) continue;
      any = true;
      const auto folder = folders_.find(event.wd);
      if (folder != folders_.end() && (event.mask & IN_ISDIR) && (event.mask & (IN_CREATE | IN_MOVED_TO))) {
        watch_tree(std::string(folder->second) + "/" + name, 0);
        if (polls()) return true;
      }
    }
  }
}

Status FolderWatcher::wait(const CancelToken& cancel) {
  const Clock::time_point start = Clock::now();
  Clock::time_point first_change{};
  Clock::time_point last_change{};
  for (;;) {
    if (cancel.cancelled()) return cancelled();
    const Clock::time_point now = Clock::now();
    if (polls()) {
      if (now - start >= options_.poll) return {};
      std::this_thread::sleep_for(std::min<Clock::duration>(kTick, options_.poll));
      continue;
    }
    pollfd poll_fd{inotify_.get(), POLLIN, 0};
    if (::poll(&poll_fd, 1, static_cast<int>(kTick.count())) > 0 && read_events()) {
      last_change = Clock::now();
      if (first_change == Clock::time_point{}) first_change = last_change;
    }
    if (first_change == Clock::time_point{}) continue;
    if (Clock::now() - last_change >= options_.quiet || Clock::now() - first_change >= options_.longest) return {};
  }
}

}  // namespace mneme::rag
