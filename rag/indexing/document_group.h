// New documents on their way into the catalogue, several in one transaction: its end, with the segment of the lexical
// index that it writes, costs as much as a document of a page. What is cut off before is read again by the next run,
// since the catalogue does not have its file yet. Threads: the run's own.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "rag/indexing/file_loader.h"
#include "rag/indexing/index_plan.h"
#include "storage/catalogue/records.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

// Replaces or adds them in one transaction; where one cannot be put, each in its own, so that those before it are
// there. Ids in order.
Result<std::vector<storage::DocumentId>> put_together(storage::Catalogue& catalogue,
                                                      std::span<const storage::NewDocument* const> documents);

// Files of one document each, with their claims, which are held as long as they are here.
class DocumentGroup {
 public:
  struct File {
    const PlannedFile* planned;
    LoadedBatch batch;
  };

  void add(const PlannedFile& planned, LoadedBatch batch);
  bool empty() const { return files_.empty(); }
  // So many, so large or so old that they should be put.
  bool is_full() const;
  std::vector<File> take();

 private:
  std::vector<File> files_;
  uint64_t text_bytes_ = 0;
  std::chrono::steady_clock::time_point since_;  // of the first
};

}  // namespace mneme::rag
