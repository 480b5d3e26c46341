#include "ui/view_model/collection_watches.h"

#include <utility>

#include "base/guarded.h"
#include "rag/indexing/folder_watcher.h"

namespace mneme::ui {

void CollectionWatches::stop(Watch& watch) {
  watch.cancel.cancel();
  if (watch.thread.joinable()) watch.thread.join();
}

CollectionWatches::~CollectionWatches() {
  for (auto& [collection, watch] : watches_) watch->cancel.cancel();
  for (auto& [collection, watch] : watches_) stop(*watch);
}

void CollectionWatches::set(const std::string& collection, const std::vector<std::string>& folders) {
  if (const auto found = watches_.find(collection); found != watches_.end()) {
    stop(*found->second);
    watches_.erase(found);
  }
  if (folders.empty()) return;
  // In its place before its thread runs: a running thread that nobody could join would end the program.
  Watch& watch = *watches_.emplace(collection, std::make_unique<Watch>()).first->second;
  // Made here, so that nothing that happens from now on is missed.
  auto watcher = std::make_unique<rag::FolderWatcher>(folders, rag::WatchOptions{.own = &own_});
  watch.thread = std::thread([this, collection, watcher = std::move(watcher), cancel = &watch.cancel] {
    // Without memory to say that something changed, the next change says it.
    attempt([&] {
      // Nobody knows what happened before it was watched: the first change is looked for everywhere.
      rag::FolderChanges changes = rag::FolderChanges::anywhere();
      while (watcher->wait(*cancel).ok()) {
        changes.add(watcher->take_changes());
        attempt([&] { changed_(collection, std::exchange(changes, {})); });
      }
    });
  });
}

}  // namespace mneme::ui
