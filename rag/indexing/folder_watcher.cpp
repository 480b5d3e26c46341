#include "rag/indexing/folder_watcher.h"

#include <dirent.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "rag/indexing/file_walker.h"
#include "rag/indexing/folder_look.h"
#include "rag/indexing/own_places.h"

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

std::pair<uint64_t, uint64_t> identity_of(const struct stat& s) {
  return S_ISDIR(s.st_mode) ? std::pair<uint64_t, uint64_t>(s.st_dev, s.st_ino) : std::pair<uint64_t, uint64_t>();
}

std::pair<uint64_t, uint64_t> folder_identity(const std::string& path) {
  struct stat s;
  return ::stat(path.c_str(), &s) == 0 ? identity_of(s) : std::pair<uint64_t, uint64_t>();
}

std::pair<uint64_t, uint64_t> folder_identity(const FolderEntry& found) {
  const bool there = found.error == 0 && found.link_error == 0;
  return there ? identity_of(found.info) : std::pair<uint64_t, uint64_t>();
}

bool is_symbolic_link(const std::string& path) {
  struct stat s;
  return ::lstat(path.c_str(), &s) == 0 && S_ISLNK(s.st_mode);
}

bool leads_to_folder(const std::string& link) {
  struct stat s;
  return is_symbolic_link(link) && ::stat(link.c_str(), &s) == 0 && S_ISDIR(s.st_mode);
}

// Links on the way followed, as far as there is something.
std::string real_path(const std::string& path) {
  std::error_code error;
  const std::string real = std::filesystem::weakly_canonical(path, error).string();
  return error ? path : real;
}

std::string entry_of(const std::string& folder, std::string_view name) {
  std::string path = folder == "/" ? folder : folder + "/";
  return path.append(name);
}

}  // namespace

FolderWatcher::FolderWatcher(const std::vector<std::string>& paths, const WatchOptions& options)
    : options_(options), recheck_(options.recheck) {
  if (options_.use_inotify) inotify_.reset(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  for (const std::string& given : paths) {
    const std::string path = absolute_path(given);
    // Editors replace files: the folder of a file is watched, not the file.
    const std::string parent = path.substr(0, std::max<size_t>(path.rfind('/'), 1));
    const Identity identity = folder_identity(path);
    roots_.push_back({path, parent, identity, folder_identity(parent), identity != Identity()});
    if (polls()) continue;
    if (roots_.back().is_folder) {
      watch_tree(path, 0);
    } else {
      watch(parent);
    }
  }
}

void FolderWatcher::stop_watching() {
  inotify_.reset();
  folders_.clear();
  changes_.set_anywhere();
}

bool FolderWatcher::concerns(std::string_view name) const {
  return options_.include_hidden || !name.starts_with('.') || name == ".gitignore" || name == ".mnemeignore";
}

// What the user named is watched whatever it is called.
bool FolderWatcher::concerns(const Watched& folder, const std::string& path, std::string_view name) const {
  if (std::ranges::any_of(roots_, [&](const Root& root) { return root.path == path; })) return true;
  const bool own = options_.own != nullptr && options_.own->own_file(folder.info, name);
  return !own && concerns(name);
}

bool FolderWatcher::is_watched(const std::string& path) const {
  return std::ranges::any_of(roots_, [&](const Root& root) { return is_at_or_below(path, root.path); });
}

// Negative where there is none. ENOSPC: the user's watches are used up. Half-watched is worse than polled.
int FolderWatcher::add_watch(const std::string& folder) {
  const int watch = ::inotify_add_watch(inotify_.get(), folder.c_str(), kEvents);
  if (watch < 0 && (errno == ENOSPC || errno == ENOMEM)) stop_watching();
  return watch;
}

void FolderWatcher::watch(const std::string& folder) {
  Watched watched{folder, {}};
  const int number = add_watch(folder);
  if (number < 0) return;
  if (::stat(folder.c_str(), &watched.info) == 0) {
    keep(number, std::move(watched));
  } else if (!folders_.contains(number)) {
    ::inotify_rm_watch(inotify_.get(), number);
  }
}

// The kernel gives one watch per folder, whatever the ways to it are.
bool FolderWatcher::keep(int watch, Watched watched) {
  const auto [at, is_new] = folders_.try_emplace(watch, watched);
  if (is_new) return true;
  if (watched.by_link && is_at_or_below(watched.path, at->second.path)) return false;  // the walk follows none back
  const bool is_other_way = at->second.path != watched.path;
  if (is_other_way || watched.by_link) {
    for (auto& [other, known] : folders_) {
      if (is_at_or_below(known.path, at->second.path)) known.by_link = true;
    }
  }
  if (watched.by_link) return false;
  at->second.path = watched.path;
  at->second.info = watched.info;
  return true;
}

void FolderWatcher::note_link(const std::string& link) {
  links_.insert(link);
  links_.insert(real_path(link));
}

// Links to folders are followed, as the walk follows them; by_link: one was on the way, and may have led back.
void FolderWatcher::watch_tree(const std::string& folder, int depth, bool by_link) {
  if (polls() || depth > kMaxDepth) return;
  Watched watched{folder, {}, by_link};
  if (::stat(folder.c_str(), &watched.info) != 0) return;
  if (kernel_.hold(watched.info)) return;
  if (depth > 0 && options_.own != nullptr && options_.own->own(watched.info)) return;
  const int watch = add_watch(folder);
  if (watch < 0 || !keep(watch, watched)) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(folder.c_str()), ::closedir);
  if (directory == nullptr) return;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the handle is this call's own
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == ".." || !concerns(name)) continue;
    const std::string path = entry_of(folder, name);
    struct stat s;
    if (::lstat(path.c_str(), &s) != 0) continue;
    const bool leads_elsewhere = S_ISLNK(s.st_mode);
    if (leads_elsewhere) note_link(path);
    if (leads_elsewhere && ::stat(path.c_str(), &s) != 0) continue;
    if (S_ISDIR(s.st_mode)) watch_tree(path, depth + 1, by_link || leads_elsewhere);
    if (polls()) return;
  }
}

void FolderWatcher::unwatch(int watch) {
  ::inotify_rm_watch(inotify_.get(), watch);
  folders_.erase(watch);
}

void FolderWatcher::unwatch_tree(const std::string& folder) {
  std::vector<int> below;
  for (const auto& [watch, watched] : folders_) {
    if (is_at_or_below(watched.path, folder)) below.push_back(watch);
  }
  for (const int watch : below) unwatch(watch);
}

// The kernel watches folders, not their names: what is made or mounted at the name of one that has gone is another.
bool FolderWatcher::watch_again(const CancelToken& cancel) {
  std::vector<std::string> paths;
  for (const Root& root : roots_) paths.insert(paths.end(), {root.path, root.parent});
  const Result<std::vector<FolderEntry>> looked = look_at_all(paths, options_.recheck, cancel);
  // Each look at a folder that does not answer leaves a thread behind: fewer and fewer looks then.
  recheck_ = looked.ok() ? options_.recheck : std::min(4 * recheck_, kLongestRecheck);
  bool changed = false;
  for (size_t i = 0; looked.ok() && i < roots_.size() && !polls(); ++i) {
    changed |= watch_again(roots_[i], (*looked)[2 * i], (*looked)[2 * i + 1], cancel);
  }
  return changed;
}

bool FolderWatcher::watch_again(Root& root, const FolderEntry& found, const FolderEntry& parent,
                                const CancelToken& cancel) {
  const Identity now = folder_identity(found);
  const Identity parent_now = folder_identity(parent);
  const bool is_other = std::exchange(root.identity, now) != now;
  const bool lies_elsewhere = std::exchange(root.parent_identity, parent_now) != parent_now;
  if (now != Identity()) {
    root.is_folder = true;
    if (!is_other) return false;
    unwatch_tree(root.path);
    watch_tree(root.path, 0);
    const Result<FolderNames> names = list_folder(root.path, false, options_.recheck, cancel);
    return names.ok() && !names->names.empty();
  }
  if (root.is_folder || !lies_elsewhere || parent_now == Identity()) return false;
  const auto of_parent =
      std::ranges::find_if(folders_, [&](const auto& watched) { return watched.second.path == root.parent; });
  if (of_parent != folders_.end()) unwatch(of_parent->first);
  watch(root.parent);
  const Result<std::vector<FolderEntry>> there = look_at_all({root.path}, options_.recheck, cancel);
  return there.ok() && there->front().error == 0;
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
      any |= take_event(event.mask, event.wd, name);
      if (polls()) return true;
    }
  }
}

// Whether it concerns documents.
bool FolderWatcher::take_event(uint32_t mask, int watch, std::string_view name) {
  if (mask & IN_Q_OVERFLOW) {
    // More came, during a long run, than the kernel keeps: new folders may be among what was dropped.
    changes_.set_anywhere();
    for (const Root& root : roots_) watch_tree(root.path, 0);
    return true;
  }
  const auto found = folders_.find(watch);
  if (found == folders_.end()) return false;  // left meanwhile, for what was told of the folders above it
  const Watched folder = found->second;
  if (mask & IN_IGNORED) folders_.erase(found);
  if (name.empty()) {
    if ((mask & (IN_DELETE_SELF | IN_MOVE_SELF)) == 0) return false;
    if (!is_watched(folder.path)) changes_.set_anywhere();  // that of a watched file
    note_change(folder, folder.path, name);
    return true;
  }
  const std::string path = entry_of(folder.path, name);
  if (!concerns(folder, path, name)) return false;
  const bool is_folder = (mask & IN_ISDIR) != 0;
  // A file being written is reported when it is closed.
  if ((mask & IN_CREATE) && !is_folder && !is_link(path)) return false;
  if (!is_watched(path)) return false;  // a neighbour of a watched file
  note_change(folder, path, name);
  follow_folder(mask, folder, path);
  return true;
}

// Keeps watching in step with folders that come and go.
void FolderWatcher::follow_folder(uint32_t mask, const Watched& folder, const std::string& path) {
  const bool is_folder = (mask & IN_ISDIR) != 0;
  // It keeps its watch, and would tell of itself by the name that it had.
  if (is_folder && (mask & IN_MOVED_FROM)) unwatch_tree(path);
  if ((mask & (IN_CREATE | IN_MOVED_TO)) == 0) return;
  if (!is_folder && is_symbolic_link(path)) note_link(path);
  if (is_folder || leads_to_folder(path)) watch_tree(path, 1, folder.by_link || !is_folder);
}

void FolderWatcher::note_change(const Watched& folder, const std::string& path, std::string_view name) {
  const bool is_root =
      std::ranges::any_of(roots_, [&](const Root& root) { return root.path == path && root.is_folder; });
  if (is_root || folder.by_link || is_symbolic_link(path) || touches_links(path)) {
    changes_.set_anywhere();
  } else if (name == ".gitignore" || name == ".mnemeignore") {
    changes_.add(folder.path);  // its rules are those of all that lies there
  } else {
    changes_.add(path);
  }
}

bool FolderWatcher::touches_links(const std::string& path) const {
  if (links_.empty() || changes_.is_anywhere()) return false;
  const auto holds = [&](const std::string& place) {
    return links_.contains(place) || links_.lower_bound(place + "/") != links_.lower_bound(place + "0");
  };
  return holds(path) || holds(real_path(path));
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
      if (now - start >= options_.poll) {
        changes_.set_anywhere();
        return {};
      }
      std::this_thread::sleep_for(std::min<Clock::duration>(kTick, options_.poll));
      continue;
    }
    pollfd poll_fd{inotify_.get(), POLLIN, 0};
    bool changed = ::poll(&poll_fd, 1, static_cast<int>(kTick.count())) > 0 && read_events();
    if (!polls() && now - rechecked >= recheck_) {
      if (watch_again(cancel)) {
        changes_.set_anywhere();
        changed = true;
      }
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
