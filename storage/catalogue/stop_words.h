// Words that carry no meaning of their own ("the", "der", "は"). Which they are depends on the language: "war", "son"
// and "die" are grammar to German and French, and what an English question is about. So a question's own grammar words
// say of which language it is, and only those of that language are left out. Threads: pure functions over values.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "storage/catalogue/lexical_terms.h"

namespace mneme::storage {

class StopTerms {
 public:
  explicit StopTerms(std::span<const std::string> question_terms);
  static StopTerms of(std::string_view question) { return StopTerms(lexical_terms(question)); }

  // Whether a term of that question carries no meaning.
  bool contains(std::string_view term) const;
  // Of the languages in Latin letters, whether it may be in English; and whether in one of those of another text.
  bool may_be_english() const;
  bool shares_language(const StopTerms& other) const;

 private:
  unsigned languages_ = 0;
};

}  // namespace mneme::storage
