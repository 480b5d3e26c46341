#include "rag/text/languages/refusals.h"

#include "rag/text/languages/language_facts.h"

namespace mneme::rag {

std::string_view refusal_for(std::string_view question) {
  return facts_of(language_of(question)).refusal;
}

}  // namespace mneme::rag
