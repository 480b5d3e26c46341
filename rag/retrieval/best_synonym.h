// Which of the synonyms of a question's word (rag/text/variants/synonyms.h) the documents mean by it: of "vacation
// days" the "holiday" of "30 days of paid holiday", not the commoner "leave" of a recipe. Threads: those of the
// catalogue.
#pragma once

#include <string_view>

#include "base/status.h"
#include "rag/text/variants/synonyms.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

// The one that most of the question's other words stand beside in a sentence, the commonest of several; empty where no
// passage has any. spot: of the question.
Result<std::string_view> best_synonym(storage::Catalogue& catalogue, std::string_view question,
                                      const SynonymSpot& spot);

}  // namespace mneme::rag
