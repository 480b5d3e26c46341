// Which of several spellings of a word the passages have. Threads: those of the catalogue.
#pragma once

#include <span>
#include <string>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

// The one that most passages have, the first of several, with the marks that they write it with ("gewählt" for
// "gewahlt"); empty where none has any. The index knows words by their stems alone: what shares its term with other
// words only, as "gös" with "go", no passage has.
Result<std::string> commonest_spelling(storage::Catalogue& catalogue, std::span<const std::string> spellings);

}  // namespace mneme::rag
