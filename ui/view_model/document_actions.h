// The document behind a passage, to look at: its text with the passage marked, and for a PDF the page as a picture.
// Threads: the controller's viewing thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rag/readers/pdf/pdf_preview.h"
#include "rag/workspace.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

class DocumentActions {
 public:
  DocumentActions(rag::Workspace& workspace, Publisher& publisher) : workspace_(workspace), publisher_(publisher) {}

  void show(const SourceView& source, const std::string& said);
  void show_page(int page, int dpi);  // of the PDF that is shown, at least that fine
  // Says where the document that is shown says a text; empty: nothing is sought any more.
  void find(const std::string& sought);

 private:
  void load_text(const SourceView& source, DocumentTextView& view);
  void load_page(DocumentTextView& view, int page, int dpi);
  static FoundInDocument places_in(const DocumentTextView& view, const std::string& sought);
  std::vector<std::vector<PageImage::Box>> boxes_of_found(const DocumentTextView& view) const;

  rag::Workspace& workspace_;
  Publisher& publisher_;
  // Of the page picture made last: what is looked for is looked for among its words.
  std::weak_ptr<const PageImage> page_;
  std::vector<readers::PageWord> page_words_;
};

}  // namespace mneme::ui
