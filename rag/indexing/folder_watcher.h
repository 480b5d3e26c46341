// Tells when something below the watched folders has changed, by inotify; where the system gives no (or not enough)
// watches, by letting the caller look every few seconds. Bursts of changes are waited out.
// Ownership: owns its descriptor. Threads: one at a time.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
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
};

class FolderWatcher {
 public:
  // Never fails for want of watches: then it polls, and polls() says so.
  FolderWatcher(const std::vector<std::string>& paths, const WatchOptions& options);
  FolderWatcher(const FolderWatcher&) = delete;
  FolderWatcher& operator=(const FolderWatcher&) = delete;

  bool polls() const { return !inotify_.is_open(); }

  // Returns when something changed (or may have, when polling). kCancelled.
  Status wait(const CancelToken& cancel);

 private:
  void stop_watching();  // from here on it polls
  void watch_tree(const std::string& folder, int depth);
  bool read_events();  // whether one of them concerns documents
  bool concerns(std::string_view name) const;

  const WatchOptions options_;
  std::vector<std::string> paths_;
  FileDescriptor inotify_;
  std::map<int, std::string> folders_;  // by watch descriptor
};

}  // namespace mneme::rag
