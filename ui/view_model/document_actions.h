// The document behind a passage, to look at: its text with the passage marked, and for a PDF the page as a picture.
// Threads: the controller's viewing thread.
#pragma once

#include "rag/workspace.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

class DocumentActions {
 public:
  DocumentActions(rag::Workspace& workspace, Publisher& publisher) : workspace_(workspace), publisher_(publisher) {}

  void show(const SourceView& source, const std::string& said);
  void show_page(int page);  // of the PDF that is shown

 private:
  void load_text(const SourceView& source, DocumentTextView& view);
  void load_page(DocumentTextView& view, int page);

  rag::Workspace& workspace_;
  Publisher& publisher_;
};

}  // namespace mneme::ui
