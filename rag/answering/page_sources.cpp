#include "rag/answering/page_sources.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/retrieval/page_passages.h"
#include "rag/text/asked_page.h"
#include "rag/text/phrases.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using storage::DocumentRecord;

constexpr std::string_view kPaged[] = {"pdf", "pptx", "ppt", "ipynb"};  // formats that always have pages

// Those that the question names, best first.
Result<std::vector<DocumentRecord>> documents_called(Workspace& workspace, const Asked& asked,
                                                     const std::string& called) {
  Retriever retriever(workspace);
  MNEME_ASSIGN_OR_RETURN(const SearchResult result, retriever.search(called, asked.options.search, asked.cancel));
  std::vector<DocumentRecord> documents;
  documents.reserve(result.hits.size());
  for (const Hit& hit : result.hits) {
    MNEME_ASSIGN_OR_RETURN(DocumentRecord document,
                           workspace.catalogue().document(storage::DocumentId{hit.document_id}));
    documents.push_back(std::move(document));
  }
  return documents;
}

Result<std::vector<storage::CollectionRecord>> collections_of(Workspace& workspace, const std::string& name) {
  if (name.empty()) return workspace.catalogue().list_collections();
  MNEME_ASSIGN_OR_RETURN(storage::CollectionRecord collection, workspace.catalogue().find_collection(name));
  return std::vector<storage::CollectionRecord>{std::move(collection)};
}

// Those that the last answer cited; where nothing was said before, the only document whose format has pages.
Result<std::vector<DocumentRecord>> documents_at_hand(Workspace& workspace, const Asked& asked) {
  MNEME_ASSIGN_OR_RETURN(const auto collections, collections_of(workspace, asked.options.search.collection));
  const std::vector<Turn>& history = asked.options.history;
  std::vector<DocumentRecord> documents;
  if (!history.empty()) {
    for (const std::string& path : history.back().documents) {
      for (const storage::CollectionRecord& collection : collections) {
        MNEME_ASSIGN_OR_RETURN(std::optional<DocumentRecord> document,
                               workspace.catalogue().find_document(collection.id, path));
        if (document) documents.push_back(*std::move(document));
      }
    }
    if (!documents.empty()) return documents;
  }
  for (const storage::CollectionRecord& collection : collections) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<DocumentRecord> all, workspace.catalogue().list_documents(collection.id));
    for (const DocumentRecord& document : all) {
      if (one_of(document.format, kPaged)) documents.push_back(document);
    }
  }
  if (documents.size() != 1) documents.clear();
  return documents;
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
    found.notes.push_back(document.title + " has no page " + std::to_string(page.number));
    return {};
  }
  return {};
}

}  // namespace mneme::rag
