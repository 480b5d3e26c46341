#include "rag/answering/sources/page_sources.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/answering/sources/asked_documents.h"
#include "rag/retrieval/page_passages.h"
#include "rag/text/documents/asked_page.h"
#include "rag/text/languages/notes.h"
#include "rag/text/words/phrases.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using storage::DocumentRecord;

constexpr std::string_view kPaged[] = {"pdf", "pptx", "ppt", "ipynb"};  // formats that always have pages

// Those that the last answer cited; where nothing was said before, the only document whose format has pages.
Result<std::vector<DocumentRecord>> documents_at_hand(Workspace& workspace, const Asked& asked) {
  MNEME_ASSIGN_OR_RETURN(std::vector<DocumentRecord> documents, documents_last_cited(workspace, asked));
  if (!documents.empty()) return documents;
  return only_document_of(workspace, asked, kPaged);
}

}  // namespace

Status find_page(Workspace& workspace, const Asked& asked, QuestionSources& found) {
  const AskedPage page = asked_page(asked.question);
  if (page.empty()) return {};
  MNEME_ASSIGN_OR_RETURN(
      const std::vector<DocumentRecord> documents,
      page.document.empty() ? documents_at_hand(workspace, asked) : documents_called(workspace, asked, page.document));
  for (const DocumentRecord& document : documents) {
    MNEME_ASSIGN_OR_RETURN(std::vector<Hit> hits, passages_of_page(workspace.catalogue(), document, page.number));
    if (hits.empty()) continue;
    found.hits = std::move(hits);
    found.page = page.number;
    found.retrieve_ms = asked.milliseconds();
    return {};
  }
  for (const DocumentRecord& document : documents) {
    if (!one_of(document.format, kPaged)) continue;
    found.page = page.number;
    found.answerable = false;
    found.notes.push_back(note_for(asked.question, &NoteTexts::no_page,
                                   {{"document", document.title}, {"page", std::to_string(page.number)}}));
    return {};
  }
  return {};
}

}  // namespace mneme::rag
