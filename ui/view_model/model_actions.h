// Language models: which there are, what each needs, and which one answers.
// Threads: refresh(), add(), remove() on the catalogue thread; use(), load(), unload() on the answering thread, where
// nobody uses the model meanwhile.
#pragma once

#include <functional>
#include <string>

#include "base/status.h"
#include "rag/workspace.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

class ModelActions {
 public:
  // `forget_model` is called before the open model goes.
  ModelActions(rag::Workspace& workspace, Publisher& publisher, std::function<void()> forget_model)
      : workspace_(workspace), publisher_(publisher), forget_model_(std::move(forget_model)) {}

  Status refresh();
  Status add(const std::string& path);
  Status remove(const std::string& name);

  Status use(const rag::Workspace::ModelChoice& choice);
  // Reads the file through once, so that there is a progress to show and the pages are warm, then opens the model.
  Status load();
  void unload();

  void show_state();    // whether the model is open, which the first question may have changed
  void show_running();  // and what it runs on; on the answering thread

 private:
  rag::Workspace& workspace_;
  Publisher& publisher_;
  const std::function<void()> forget_model_;
};

}  // namespace mneme::ui
