// Documents whose reader has become better since they were read. A file that has not changed is not read again, so they
// would stay as they were. Threads: as Catalogue.
#pragma once

#include <span>
#include <string_view>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

// A version of the readers, counted from 1, and a format that they read better since.
struct BetterReader {
  int version = 0;
  std::string_view format;
};

// By version.
std::span<const BetterReader> better_readers();

// Makes documents of those formats, of all collections, unlike their files, once per home and version: each is read
// again by the next run that comes by it, and answers as it is until then. What is read as before is neither stored nor
// embedded again (earlier_documents.h). Cut off, all are marked again. Call it before a run's plan is made.
Status mark_for_better_readers(storage::Catalogue& catalogue, std::span<const BetterReader> better = better_readers());

}  // namespace mneme::rag
