// Whether a few words speak of a matter: every word of it, in another form, within a compound, or by a word for the
// same ("plumber" of "Plumbing Heitz"). Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rag/text/languages/language.h"

namespace mneme::rag {

class MatterWords {
 public:
  // matter: in the words of a question in the language.
  MatterWords(std::string_view matter, Language language);
  bool empty() const { return words_.empty(); }
  bool are_in(std::string_view text) const;

 private:
  bool is_said(const std::string& word, const std::vector<std::string>& said) const;

  std::vector<std::string> words_;  // folded
  Language language_;
};

}  // namespace mneme::rag
