// Which of several spellings of a word the passages have. Threads: those of the catalogue.
#pragma once

#include <span>
#include <string>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

// The one that most passages have, the first of several; empty where none has any. Spellings may be one term of the
// lexical index.
Result<std::string> commonest_spelling(storage::Catalogue& catalogue, std::span<const std::string> spellings);

}  // namespace mneme::rag
