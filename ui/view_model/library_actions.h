// Collections, documents and indexing. Runs on the controller's queues.
// Threads: index() on the indexing thread, the rest on the catalogue thread; pause() from anywhere.
#pragma once

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

  void index(std::vector<std::string> paths, const std::string& collection);
  void pause();
  void reindex(const std::string& collection);

  Status refresh();
  Status show(const std::string& collection);
  Status remove_document(const std::string& path);
  Status delete_collection(const std::string& name);
  void show_document(const SourceView& source);
  Status refresh_models();

 private:
  rag::Workspace& workspace_;
  Publisher& publisher_;
  Mutex mutex_;
  std::shared_ptr<CancelToken> running_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::ui
