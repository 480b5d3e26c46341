// Language models: which there are, what each needs, and which one answers.
// Threads: refresh(), add(), remove() on the catalogue thread; use(), unload(), show_running() on the answering thread,
// where nobody uses the model meanwhile; load() on the loading thread, since a large file takes long and chats are to
// be opened and questions shown in the meantime; stop_loading() from anywhere.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "rag/workspace.h"
#include "storage/catalogue/records.h"
#include "ui/view_model/model_trial.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

class ModelActions {
 public:
  // `forget_model` is called before the open model goes.
  ModelActions(rag::Workspace& workspace, Publisher& publisher, ModelTrial& trial, std::function<void()> forget_model)
      : workspace_(workspace), publisher_(publisher), trial_(trial), forget_model_(std::move(forget_model)) {}

  Status refresh();
  // Passages are found by it from the next start on, when they are embedded anew.
  Status use_embedder(const std::string& name);
  Status refresh_if_changed();                                        // where another process has added or removed one
  Status add(const std::string& path, const std::string& name = {});  // without a name the file's
  Status remove(const std::string& name);

  Status use(const rag::Workspace::ModelChoice& choice);
  // Reads the file through once, so that there is a progress to show and the pages are warm, then opens the model;
  // whether it is open now.
  bool load();
  void stop_loading();  // shows nothing any more; a file that is being opened is opened to its end
  void unload();

  void show_state();    // whether the model is open, which the first question may have changed
  void show_running();  // and what it runs on

 private:
  std::shared_ptr<CancelToken> begin_loading();
  void read_through(const std::string& path, const CancelToken& cancel);
  void close_view();
  // Names and paths as they are registered.
  using Registered = std::vector<std::pair<std::string, std::string>>;
  Result<Registered> registered();

  rag::Workspace& workspace_;
  Publisher& publisher_;
  ModelTrial& trial_;
  const std::function<void()> forget_model_;
  std::string chosen_embedder(const std::vector<storage::ModelRecord>& records) const;

  std::optional<std::string> embedder_;  // that finds passages now, by its name; unset: not asked yet
  Registered seen_;                      // when the snapshot was made; of the catalogue thread
  Mutex mutex_;
  std::shared_ptr<CancelToken> loading_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::ui
