// Watches collections' folders and says when something below them changed. One thread per watched collection, asleep
// until the system tells it. Threads: set() and the destructor from one thread; `changed` is called from the watchers'.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/cancel.h"
#include "rag/indexing/folder_changes.h"
#include "rag/indexing/own_places.h"

namespace mneme::ui {

class CollectionWatches {
 public:
  using Changed = std::function<void(const std::string& collection, const rag::FolderChanges&)>;

  // own: what happens there is no change.
  CollectionWatches(rag::OwnPlaces own, Changed changed) : own_(std::move(own)), changed_(std::move(changed)) {}
  ~CollectionWatches();
  CollectionWatches(const CollectionWatches&) = delete;
  CollectionWatches& operator=(const CollectionWatches&) = delete;

  // No folders: stop watching.
  void set(const std::string& collection, const std::vector<std::string>& folders);

 private:
  struct Watch {
    CancelToken cancel;
    std::thread thread;
  };
  static void stop(Watch& watch);

  const rag::OwnPlaces own_;
  const Changed changed_;
  std::map<std::string, std::unique_ptr<Watch>> watches_;
};

}  // namespace mneme::ui
