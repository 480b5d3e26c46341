// Tells when something below the watched folders has changed, and where, by inotify; where the system gives no (or not
// enough) watches, by letting the caller look everywhere every few seconds. Bursts of changes are waited out. A watched
// folder that goes and comes again (a disk that is mounted, a checkout made anew) is watched again; while it is there
// but empty, as a folder is on which no disk is mounted, its coming is no change. So is the folder of a watched file.
// Ownership: owns its descriptor. Threads: one at a time.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/file_descriptor.h"
#include "base/status.h"
#include "rag/indexing/folder_changes.h"
#include "rag/indexing/folder_look.h"
#include "rag/indexing/kernel_folders.h"

namespace mneme::rag {

class OwnPlaces;

struct WatchOptions {
  bool include_hidden = false;
  const OwnPlaces* own = nullptr;  // what happens there is no change; null: everything is one. Outlives the watcher
  bool use_inotify = true;
  std::chrono::milliseconds quiet{300};     // a change is reported when nothing more came for so long
  std::chrono::milliseconds longest{2000};  // ... or when changes have been coming for so long
  std::chrono::milliseconds poll{10000};    // between looks where inotify cannot be had
  std::chrono::milliseconds recheck{2000};  // between looks whether the watched folders are still the same
};

class FolderWatcher {
 public:
  // Never fails for want of watches: then it polls, and polls() says so.
  FolderWatcher(const std::vector<std::string>& paths, const WatchOptions& options);
  FolderWatcher(const FolderWatcher&) = delete;
  FolderWatcher& operator=(const FolderWatcher&) = delete;

  bool polls() const { return !inotify_.is_open(); }

  // Returns when something changed (or may have, when polling), and after `most` at the latest. kCancelled.
  Status wait(const CancelToken& cancel, std::chrono::milliseconds most = std::chrono::hours(24 * 365));

  // What wait() has seen change since it was last asked.
  FolderChanges take_changes() { return std::exchange(changes_, {}); }

 private:
  using Identity = std::pair<uint64_t, uint64_t>;  // device and inode; zeros: not there, or no folder
  struct Root {
    std::string path;
    std::string parent;  // what is watched of a file
    Identity identity;   // of the path, when it was last looked at
    Identity parent_identity;
    bool is_folder = false;
  };
  struct Watched {
    std::string path;
    struct stat info;
    bool by_link = false;  // it is reached by other ways, too: the walk may know it by another path
  };

  void stop_watching();  // from here on it polls
  int add_watch(const std::string& folder);
  void watch(const std::string& folder);  // alone
  void watch_tree(const std::string& folder, int depth, bool by_link = false);
  bool keep(int watch, Watched watched);  // whether what lies below is to be watched
  void note_link(const std::string& link);
  void unwatch(int watch);
  void unwatch_tree(const std::string& folder);
  // Roots that are other folders than before, or files that lie in others; whether one holds anything.
  bool watch_again(const CancelToken& cancel);
  bool watch_again(Root& root, const FolderEntry& found, const FolderEntry& parent, const CancelToken& cancel);
  bool read_events();  // whether one of them concerns documents
  bool take_event(uint32_t mask, int watch, std::string_view name);
  void follow_folder(uint32_t mask, const Watched& folder, const std::string& path);
  void note_change(const Watched& folder, const std::string& path, std::string_view name);
  bool touches_links(const std::string& path) const;
  bool is_watched(const std::string& path) const;  // by the user's word, or a folder above it is
  bool concerns(std::string_view name) const;
  bool concerns(const Watched& folder, const std::string& path, std::string_view name) const;

  const WatchOptions options_;
  const KernelFolders kernel_;  // change all the time, and hold nothing to index
  std::chrono::milliseconds recheck_;
  std::vector<Root> roots_;
  FileDescriptor inotify_;
  std::map<int, Watched> folders_;  // by watch descriptor
  std::set<std::string> links_;     // files that are links, and where they lead to: one document's change is another's
  FolderChanges changes_;
};

}  // namespace mneme::rag
