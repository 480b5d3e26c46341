// Tells when something below the watched folders has changed, by inotify; where the system gives no (or not enough)
// watches, by letting the caller look every few seconds. Bursts of changes are waited out. A watched folder that goes
// and comes again (a disk that is mounted, a checkout made anew) is watched again; while it is there but empty, as a
// folder is on which no disk is mounted, its coming is no change.
// Ownership: owns its descriptor. Threads: one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/file_descriptor.h"
#include "base/status.h"

namespace mneme::rag {

struct WatchOptions {
  bool include_hidden = false;
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

 private:
  void stop_watching();  // from here on it polls
  void watch_root(const std::string& path, bool is_folder);
  void watch_tree(const std::string& folder, int depth, bool by_link = false);
  void unwatch_tree(const std::string& folder);
  bool watch_again(const CancelToken& cancel);  // roots that are other folders than before; whether one holds anything
  bool read_events();                           // whether one of them concerns documents
  bool concerns(std::string_view name) const;

  using Identity = std::pair<uint64_t, uint64_t>;  // device and inode; zeros: not there

  const WatchOptions options_;
  std::chrono::milliseconds recheck_;
  std::vector<std::string> paths_;
  std::vector<Identity> identities_;  // of paths_, when they were last looked at
  FileDescriptor inotify_;
  std::map<int, std::string> folders_;  // by watch descriptor
};

}  // namespace mneme::rag
