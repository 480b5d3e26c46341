// Collections, documents and indexing. Runs on the controller's queues.
// Threads: index(), reindex(), retry_failed(), resume() on the indexing thread, the rest on the catalogue thread;
// pause(), stop() from anywhere.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "rag/workspace.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

class LibraryActions {
 public:
  LibraryActions(rag::Workspace& workspace, Publisher& publisher) : workspace_(workspace), publisher_(publisher) {}

  // A request is remembered in the catalogue until it is done, so that what was being indexed when the window closed or
  // the machine stopped goes on at the next start.
  void index(std::vector<std::string> paths, const std::string& collection, bool quietly = false);
  void request_queued() { ++waiting_; }  // another index() will follow
  void pause();
  void resume();
  void stop();  // the window closes: what is unfinished goes on next time
  void reindex(const std::string& collection, bool quietly = false);
  void retry_failed(const std::string& collection);
  // What an earlier window left unfinished; true when it should go on now (it was not paused by the user).
  bool unfinished();

  Status refresh();         // collections, meters, and the documents of the shown collection
  Status refresh_meters();  // KV store and catalogue
  Status show(const std::string& collection);
  Status order(const DocumentOrder& order);
  Status remove_document(const std::string& path);
  Status delete_collection(const std::string& name);
  Status set_quota(uint64_t bytes);
  Status set_level(const std::string& collection, const std::string& level);

 private:
  void run(std::vector<std::string> paths, const std::string& collection, bool quietly);
  void remember_unfinished(bool paused);

  rag::Workspace& workspace_;
  Publisher& publisher_;
  std::atomic<int> waiting_{0};
  std::atomic<bool> paused_by_user_{false};
  std::atomic<bool> closing_{false};
  Mutex mutex_;
  std::shared_ptr<CancelToken> running_ MNEME_GUARDED_BY(mutex_);
};

// Rows of `documents` that pass the filter, in order. Equal rows stand by path.
std::vector<uint32_t> ordered_rows(const std::vector<DocumentRow>& documents, const DocumentOrder& order);

}  // namespace mneme::ui
