// What a walk found against what the catalogue holds: which files are new or changed, which documents are unchanged,
// and which are gone. Threads: values.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "rag/indexing/file_walker.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

struct PlannedFile {
  FoundFile file;
  std::vector<storage::DocumentState> known;  // documents of this file as the catalogue has them (members too)
};

struct IndexPlan {
  std::vector<PlannedFile> work;                // new or changed
  uint64_t unchanged = 0;                       // documents
  std::vector<storage::DocumentState> missing;  // documents whose file is gone: to be removed unless it only moved
  uint64_t work_bytes = 0;
};

// `states`: the catalogue's documents below the walk's roots. Documents below a folder that could not be listed are
// left as they are.
IndexPlan plan_index(const WalkResult& walk, std::vector<storage::DocumentState> states);

}  // namespace mneme::rag
