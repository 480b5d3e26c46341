// A question in the words of the documents: a word that no passage has gives way to a synonym that some passages have
// (rag/text/variants/synonyms.h), else to the word that it is a misspelling of (misspelling.h). Words that any passage
// has stay as they are, and so do quoted phrases and names: where documents know a word, nothing changes. Threads:
// those of the catalogue.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

class Embedder;

struct Rewording {
  std::string text;
  std::vector<std::string> notes;  // for people, one for each word: "no passage says ..."
};
// embedder: words that it knows are spelled right, though no passage has them.
Result<Rewording> in_words_of_documents(storage::Catalogue& catalogue, const Embedder& embedder,
                                        std::string_view question);

}  // namespace mneme::rag
