// A word of a question that no passage has, as the documents spell it: the commonest word that one slip of the hand
// makes it of, a letter too many, too few, another that is written for it, or two in the wrong order. Threads: those of
// the catalogue.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

class Embedder;

// folded: rag/text/words/words.h. Words that the embedder knows come first: slips are mostly of words that everybody
// writes, and hundreds of spellings need then not be looked up. Empty where it is too short to tell, not in Latin
// letters, or like no word of the passages.
Result<std::string> as_documents_spell(storage::Catalogue& catalogue, const Embedder& embedder,
                                       std::string_view folded);

}  // namespace mneme::rag
