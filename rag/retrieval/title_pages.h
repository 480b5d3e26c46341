// Who wrote a book, and when, stands on its first page, which holds the question's words no more often than any other.
// Threads: those of the catalogue.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "storage/catalogue/records.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

// First passages of the documents of what was found that the question calls by their title (asked/labels.h), where it
// asks for a person or a date. In order, none twice; empty for other questions.
Result<std::vector<int64_t>> title_pages(storage::Catalogue& catalogue, std::string_view question,
                                         std::span<const int64_t> found);

}  // namespace mneme::rag
