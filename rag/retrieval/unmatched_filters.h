// Why the filters of a query (query.h) left nothing to be found. Threads: those of the catalogue.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
struct CollectionRecord;
}  // namespace mneme::storage

namespace mneme::rag {

// For a query that found nothing: which of its filters no document matches, as they were written, or that those which
// are matched hold no passage for its words. For people, half a sentence; empty where it has no filters.
Result<std::string> why_filters_left_nothing(storage::Catalogue& catalogue,
                                             std::span<const storage::CollectionRecord> collections,
                                             std::string_view input);

}  // namespace mneme::rag
