#include "rag/answering/asked_documents.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using storage::DocumentRecord;

Result<std::vector<storage::CollectionRecord>> collections_of(Workspace& workspace, const std::string& name) {
  if (name.empty()) return workspace.catalogue().list_collections();
  MNEME_ASSIGN_OR_RETURN(storage::CollectionRecord collection, workspace.catalogue().find_collection(name));
  return std::vector<storage::CollectionRecord>{std::move(collection)};
}

}  // namespace

Result<std::vector<DocumentRecord>> documents_called(Workspace& workspace, const Asked& asked,
                                                     const std::string& called) {
  Retriever retriever(workspace);
  MNEME_ASSIGN_OR_RETURN(const SearchResult result, retriever.search(called, asked.options.search, asked.cancel));
  std::vector<DocumentRecord> documents;
  for (const Hit& hit : result.hits) {
    const storage::DocumentId id{hit.document_id};
    if (std::any_of(documents.begin(), documents.end(), [&](const DocumentRecord& d) { return d.id == id; })) continue;
    MNEME_ASSIGN_OR_RETURN(DocumentRecord document, workspace.catalogue().document(id));
    documents.push_back(std::move(document));
  }
  return documents;
}

Result<std::vector<DocumentRecord>> documents_last_cited(Workspace& workspace, const Asked& asked) {
  std::vector<DocumentRecord> documents;
  const std::vector<Turn>& history = asked.options.history;
  if (history.empty()) return documents;
  MNEME_ASSIGN_OR_RETURN(const auto collections, collections_of(workspace, asked.options.search.collection));
  for (const std::string& path : history.back().documents) {
    for (const storage::CollectionRecord& collection : collections) {
      MNEME_ASSIGN_OR_RETURN(std::optional<DocumentRecord> document,
                             workspace.catalogue().find_document(collection.id, path));
      if (document) documents.push_back(*std::move(document));
    }
  }
  return documents;
}

Result<std::vector<DocumentRecord>> documents_of_question(Workspace& workspace, const Asked& asked) {
  MNEME_ASSIGN_OR_RETURN(const auto collections, collections_of(workspace, asked.options.search.collection));
  std::vector<DocumentRecord> documents;
  for (const storage::CollectionRecord& collection : collections) {
    MNEME_ASSIGN_OR_RETURN(std::vector<DocumentRecord> all, workspace.catalogue().list_documents(collection.id));
    std::move(all.begin(), all.end(), std::back_inserter(documents));
  }
  return documents;
}

Result<std::vector<DocumentRecord>> only_document_of(Workspace& workspace, const Asked& asked,
                                                     std::span<const std::string_view> formats) {
  MNEME_ASSIGN_OR_RETURN(const auto collections, collections_of(workspace, asked.options.search.collection));
  std::vector<DocumentRecord> documents;
  for (const storage::CollectionRecord& collection : collections) {
    MNEME_ASSIGN_OR_RETURN(std::vector<DocumentRecord> some,
                           workspace.catalogue().documents_of_formats(collection.id, formats, 2));
    std::move(some.begin(), some.end(), std::back_inserter(documents));
    if (documents.size() > 1) return std::vector<DocumentRecord>();
  }
  return documents;
}

}  // namespace mneme::rag
