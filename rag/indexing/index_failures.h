// What cannot be indexed is told, reported and remembered, and the rest of the run goes on.
// Ownership: borrows its arguments. Threads: the run's own.
#pragma once

#include <string>
#include <unordered_set>

#include "base/status.h"
#include "rag/indexing/file_walker.h"
#include "rag/indexing/index_options.h"
#include "storage/catalogue/records.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

class LastingFailures;

class IndexFailures {
 public:
  IndexFailures(storage::Catalogue& catalogue, storage::CollectionId collection, const IndexCallbacks& callbacks,
                IndexReport& report, LastingFailures* lasting = nullptr)
      : catalogue_(catalogue), collection_(collection), callbacks_(callbacks), report_(report), lasting_(lasting) {}

  // file: as it was found, so that it is tried again when it changes; empty for what is no file.
  Status record(const std::string& path, const FoundFile& file, const std::string& error);

  // A file that could not be read as a whole.
  Status record_file(const FoundFile& file, const Status& status);

  // Failures of members of a container that did not fail in this run, in which it was read to its end.
  Status forget_members_of(const std::string& path);

  // Failures of files that have vanished are no longer of interest.
  Status forget_stale(const WalkResult& walk);

 private:
  // Paths of all that the report tells of.
  const std::unordered_set<std::string>& reported();

  storage::Catalogue& catalogue_;
  const storage::CollectionId collection_;
  const IndexCallbacks& callbacks_;
  IndexReport& report_;
  LastingFailures* const lasting_;
  std::unordered_set<std::string> reported_;
  size_t n_reported_ = 0;  // of the report's failures: those in the set
};

}  // namespace mneme::rag
