#include "rag/indexing/index_work.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <utility>

#include "rag/indexing/drives.h"
#include "rag/indexing/file_loader.h"
#include "rag/indexing/gone_roots.h"
#include "rag/readers/picture/picture_names.h"
#include "rag/text/documents/path_names.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using storage::Catalogue;
using storage::CollectionId;
using storage::DocumentState;

constexpr size_t kNamedAtOnce = 256;  // others may write in between

// The catalogue's documents below the places looked at; `seen` gets their ids.
Result<std::vector<DocumentState>> known_documents(Catalogue& catalogue, CollectionId collection,
                                                   const std::vector<std::string>& places, const IndexOptions& options,
                                                   const CancelToken& cancel, std::set<int64_t>& seen) {
  std::vector<DocumentState> states;
  for (const std::string& root : places) {
    for (const std::string& place : places_of_root(root, options.limit_file_time, cancel)) {
      MNEME_ASSIGN_OR_RETURN(std::vector<DocumentState> below, catalogue.document_states(collection, place));
      for (DocumentState& state : below) {
        if (seen.insert(static_cast<int64_t>(state.id)).second) states.push_back(std::move(state));
      }
    }
  }
  return states;
}

// A folder that was moved and is now indexed where it came to: what the old place held moves too. What is not found
// again stays, since a folder that is gone may come back.
Result<std::vector<DocumentState>> find_left_behind(Catalogue& catalogue, CollectionId collection,
                                                    const std::set<int64_t>& known, const IndexOptions& options,
                                                    const CancelToken& cancel) {
  using Found = std::vector<DocumentState>;
  if (!options.remember_roots) return Found();  // single files are tried again
  Result<Found> left = documents_of_gone_roots(catalogue, collection, known, options.limit_file_time, cancel);
  return left.status().code() == StatusCode::kCancelled ? Result<Found>(Found()) : std::move(left);
}

// Pictures that a run with OCR read are there still, though this one does not look at any.
void keep_pictures(std::vector<DocumentState>& missing) {
  std::erase_if(missing, [](const DocumentState& state) {
    std::error_code error;
    return readers::names_picture(state.path) && std::filesystem::is_regular_file(state.path, error);
  });
}

}  // namespace

Result<IndexWork> find_work(Catalogue& catalogue, CollectionId collection, const WalkResult& walk,
                            const IndexOptions& options, const CancelToken& cancel) {
  IndexWork work;
  work.roots = walk.roots;
  if (options.remember_roots && walk.is_whole) {
    for (const std::string& root : walk.roots) MNEME_RETURN_IF_ERROR(catalogue.add_root(collection, root));
  }
  std::set<int64_t> seen;
  MNEME_ASSIGN_OR_RETURN(std::vector<DocumentState> states,
                         known_documents(catalogue, collection, walk.looked_at, options, cancel, seen));
  work.plan = plan_index(walk, std::move(states));
  if (!options.ocr || !readers::can_read_pictures()) keep_pictures(work.plan.missing);
  const std::vector<DriveAt> drives = drives_now(walk.roots);
  MNEME_RETURN_IF_ERROR(remember_drives(catalogue, drives, walk.roots));
  MNEME_ASSIGN_OR_RETURN(work.absent_drives, take_out_absent_drives(catalogue, drives, work.plan.missing));
  MNEME_ASSIGN_OR_RETURN(work.left_behind, find_left_behind(catalogue, collection, seen, options, cancel));
  for (const auto* gone : {&work.plan.missing, &work.left_behind}) {
    for (const DocumentState& state : *gone) {
      work.missing.emplace(state.content_hash, state);
      if (is_member_path(state.path)) work.missing_members.insert(state.content_hash);
    }
  }
  return work;
}

Status name_unnamed(Catalogue& catalogue, CollectionId collection, const std::vector<std::string>& roots,
                    const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::UnnamedDocument> unnamed, catalogue.unnamed_documents(collection));
  std::vector<storage::DocumentNames> named;
  for (const storage::UnnamedDocument& document : unnamed) {
    const bool ours =
        std::any_of(roots.begin(), roots.end(), [&](const std::string& root) { return lies_in(document.path, root); });
    if (ours) named.push_back({document.id, path_names(document.path, roots, document.title)});
  }
  for (size_t done = 0; done < named.size() && !cancel.cancelled(); done += kNamedAtOnce) {
    const size_t n = std::min(kNamedAtOnce, named.size() - done);
    MNEME_RETURN_IF_ERROR(catalogue.name_documents(collection, std::span(named).subspan(done, n)));
  }
  return {};
}

}  // namespace mneme::rag
