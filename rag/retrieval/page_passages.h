// What stands on one page of a document, out of its passages. Ownership: copies. Threads: those of the catalogue.
#pragma once

#include <vector>

#include "base/status.h"
#include "rag/retrieval/retriever.h"
#include "storage/catalogue/records.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

// A hit for each passage that is on the page (from 1), in order, its text cut to that page. None where the document has
// no such page, or its format none at all.
Result<std::vector<Hit>> passages_of_page(storage::Catalogue& catalogue, const storage::DocumentRecord& document,
                                          int page);

}  // namespace mneme::rag
