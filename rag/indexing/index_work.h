// What a run has to do over one collection: what the walk found against what the catalogue holds, and what was left
// behind by folders that are gone. Threads: reentrant.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/hash.h"
#include "base/status.h"
#include "rag/indexing/drives.h"
#include "rag/indexing/index_options.h"
#include "rag/indexing/index_plan.h"
#include "storage/catalogue/records.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

struct IndexWork {
  std::vector<std::string> roots;                          // of this run
  IndexPlan plan;                                          // of what lies below them
  std::vector<AbsentDrive> absent_drives;                  // what lies on them is not known to be gone
  std::vector<storage::DocumentState> left_behind;         // of the collection's other roots, which are gone
  std::multimap<Hash128, storage::DocumentState> missing;  // by content: plan.missing and left_behind
  std::set<Hash128> missing_members;                       // contents of those in containers, each its container's
};

// Remembers the roots where the options say so. Errors: those of the catalogue.
Result<IndexWork> find_work(storage::Catalogue& catalogue, storage::CollectionId collection, const WalkResult& walk,
                            const IndexOptions& options, const CancelToken& cancel);

// What an older program indexed below the roots is not known by its path yet: learns it.
Status name_unnamed(storage::Catalogue& catalogue, storage::CollectionId collection,
                    const std::vector<std::string>& roots, const CancelToken& cancel);

}  // namespace mneme::rag
