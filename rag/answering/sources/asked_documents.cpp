#include "rag/answering/sources/asked_documents.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include "rag/retrieval/retriever.h"
#include "rag/text/documents/called_document.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using storage::DocumentRecord;

constexpr int kSearched = 30;       // passages among which a document is looked for by its name
constexpr size_t kBeginning = 200;  // bytes that may say what kind of document it is

Result<std::vector<storage::CollectionRecord>> collections_of(Workspace& workspace, const std::string& name) {
  if (name.empty()) return workspace.catalogue().list_collections();
  MNEME_ASSIGN_OR_RETURN(storage::CollectionRecord collection, workspace.catalogue().find_collection(name));
  return std::vector<storage::CollectionRecord>{std::move(collection)};
}

struct CalledDocuments {
  std::vector<DocumentRecord> so;
  std::vector<DocumentRecord> but_for_kind;
};

Result<CalledDocuments> find_called(Workspace& workspace, const Asked& asked, const std::string& called) {
  MNEME_ASSIGN_OR_RETURN(std::vector<DocumentBeginning> found, beginnings_found(workspace, asked, called));
  CalledDocuments documents;
  for (auto& [document, beginning] : found) {
    const std::string file = std::filesystem::path(document.path).stem().string();
    const Called is_it = called_so(called, {.title = document.title,
                                            .file = file,
                                            .folders = document.names,
                                            .beginning = beginning,
                                            .format = document.format});
    if (is_it == Called::kNot) continue;
    (is_it == Called::kSo ? documents.so : documents.but_for_kind).push_back(std::move(document));
  }
  return documents;
}

}  // namespace

Result<std::vector<DocumentBeginning>> beginnings_found(Workspace& workspace, const Asked& asked,
                                                        const std::string& words) {
  SearchOptions search = asked.options.search;
  search.top_k = std::max(search.top_k, kSearched);
  MNEME_ASSIGN_OR_RETURN(const SearchResult result, Retriever(workspace).search(words, search, asked.cancel));
  std::vector<DocumentBeginning> found;
  for (const Hit& hit : result.hits) {
    const storage::DocumentId id{hit.document_id};
    if (std::any_of(found.begin(), found.end(), [&](const auto& one) { return one.document.id == id; })) continue;
    MNEME_ASSIGN_OR_RETURN(DocumentRecord document, workspace.catalogue().document(id));
    MNEME_ASSIGN_OR_RETURN(auto first, workspace.catalogue().document_chunks(id, 0, 0));
    found.push_back({std::move(document), first.empty() ? std::string() : first.front().text.substr(0, kBeginning)});
  }
  return found;
}

Result<std::vector<DocumentRecord>> documents_called(Workspace& workspace, const Asked& asked,
                                                     const std::string& called) {
  MNEME_ASSIGN_OR_RETURN(CalledDocuments found, find_called(workspace, asked, called));
  return std::move(found.so);
}

Result<std::vector<DocumentRecord>> documents_meant(Workspace& workspace, const Asked& asked,
                                                    const std::string& called) {
  MNEME_ASSIGN_OR_RETURN(CalledDocuments found, find_called(workspace, asked, called));
  return std::move(found.so.empty() && found.but_for_kind.size() == 1 ? found.but_for_kind : found.so);
}

Result<std::vector<DocumentRecord>> documents_last_cited(Workspace& workspace, const Asked& asked) {
  const std::vector<Turn>& history = asked.options.history;
  return documents_at(workspace, asked, history.empty() ? std::vector<std::string>() : history.back().documents);
}

Result<std::vector<DocumentRecord>> documents_at(Workspace& workspace, const Asked& asked,
                                                 const std::vector<std::string>& paths) {
  std::vector<DocumentRecord> documents;
  MNEME_ASSIGN_OR_RETURN(const auto collections, collections_of(workspace, asked.options.search.collection));
  for (const std::string& path : paths) {
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
