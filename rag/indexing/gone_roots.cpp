#include "rag/indexing/gone_roots.h"

#include <cerrno>
#include <utility>

#include "rag/indexing/folder_look.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

using storage::CollectionId;
using storage::DocumentState;

Result<std::vector<std::string>> gone_roots(storage::Catalogue& catalogue, CollectionId collection,
                                            std::chrono::milliseconds patience, const CancelToken& cancel) {
  std::vector<std::string> gone;
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> roots, catalogue.roots(collection));
  for (const std::string& root : roots) {
    const Result<std::vector<FolderEntry>> looked = look_at_all({root}, patience, cancel);
    if (looked.status().code() == StatusCode::kCancelled) return looked.status();
    if (!looked.ok()) continue;
    const FolderEntry& entry = looked->front();
    if (entry.error == ENOENT || entry.link_error == ENOENT) gone.push_back(root);
  }
  return gone;
}

std::vector<std::string> places_of_root(const std::string& root, std::chrono::milliseconds patience,
                                        const CancelToken& cancel) {
  std::string members = root + "!";
  if (is_folder(members, patience, cancel)) return {root};
  return {root, std::move(members)};
}

Result<std::vector<DocumentState>> documents_of_gone_roots(storage::Catalogue& catalogue, CollectionId collection,
                                                           const std::set<int64_t>& known,
                                                           std::chrono::milliseconds patience,
                                                           const CancelToken& cancel) {
  std::vector<DocumentState> documents;
  std::set<int64_t> seen = known;
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> gone, gone_roots(catalogue, collection, patience, cancel));
  for (const std::string& root : gone) {
    for (const std::string& place : places_of_root(root, patience, cancel)) {
      MNEME_ASSIGN_OR_RETURN(std::vector<DocumentState> below, catalogue.document_states(collection, place));
      for (DocumentState& state : below) {
        if (seen.insert(static_cast<int64_t>(state.id)).second) documents.push_back(std::move(state));
      }
    }
  }
  return documents;
}

}  // namespace mneme::rag
