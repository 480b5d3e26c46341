#include "rag/retrieval/commonest_spelling.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

Result<std::string> commonest_spelling(storage::Catalogue& catalogue, std::span<const std::string> spellings) {
  if (spellings.empty()) return std::string();
  std::vector<std::string> terms;
  terms.reserve(spellings.size());
  for (const std::string& spelling : spellings) terms.push_back(storage::term_of_word(spelling));
  MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, catalogue.term_document_counts(terms));
  const auto most = std::max_element(counts.begin(), counts.end());
  return *most == 0 ? std::string() : spellings[static_cast<size_t>(most - counts.begin())];
}

}  // namespace mneme::rag
