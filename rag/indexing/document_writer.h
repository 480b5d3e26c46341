// Loaded files into the catalogue, one transaction a document: new and changed ones, those that only moved, and the
// removal of those that are gone. A container that is cut off between its members is read anew by the next run.
// Ownership: borrows its arguments. Threads: the run's own.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "base/status.h"
#include "rag/chunking/chunker.h"
#include "rag/indexing/file_loader.h"
#include "rag/indexing/index_failures.h"
#include "rag/indexing/index_report.h"
#include "rag/indexing/index_work.h"
#include "rag/readers/reader.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

class Embedder;

class DocumentWriter {
 public:
  struct Into {
    storage::Catalogue& catalogue;
    storage::CollectionId collection;
    const Embedder& embedder;
    const chunking::ChunkerOptions& sizes;  // of passages
    const readers::ReadLimits& limits;      // for files that must be read once more
  };
  DocumentWriter(const Into& into, const IndexWork& work, IndexFailures& failures, IndexReport& report)
      : into_(into), work_(work), failures_(failures), report_(report) {}

  Status store(const PlannedFile& planned, LoadedFile loaded);

  // Documents whose files are gone and were not found again. Once, after the last store().
  Status remove_missing();

 private:
  // kNewTitle: its title was its file's name, so it is removed and must be put again. kTaken: another file with this
  // content took the place.
  enum class Moved { kDone, kNewTitle, kTaken };
  Result<Moved> move(const PlannedFile& planned, const Hash128& hash);
  Status put(const PlannedFile& planned, LoadedFile& loaded, bool counts);
  Result<storage::DocumentId> put_documents(LoadedFile& loaded);
  Status drop_vanished(const PlannedFile& planned, const LoadedFile& loaded);
  Status touch(const PlannedFile& planned, const LoadedFile& loaded);
  Status remove(const storage::DocumentState& state);

  const Into into_;
  const IndexWork& work_;
  IndexFailures& failures_;
  IndexReport& report_;
  std::set<int64_t> moved_;
  std::set<Hash128> found_again_;  // of known content, but read anew
};

}  // namespace mneme::rag
