#include "rag/answering/sources/matter_words.h"

#include <algorithm>

#include "rag/text/languages/stop_words.h"
#include "rag/text/variants/compounds.h"
#include "rag/text/variants/ending_forms.h"
#include "rag/text/variants/related_words.h"
#include "rag/text/variants/synonyms.h"
#include "rag/text/variants/trade_groups.h"
#include "rag/text/variants/word_forms.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

MatterWords::MatterWords(std::string_view matter, Language language) : language_(language) {
  for (std::string& word : words_of(matter)) {
    if (!is_stop_word(word, language)) words_.push_back(std::move(word));
  }
}

bool MatterWords::is_said(const std::string& word, const std::vector<std::string>& said) const {
  const std::string stem = stem_of(word);
  std::vector<std::string_view> alike = related_words(word);
  const std::vector<std::string_view> synonyms = synonyms_of(word);
  alike.insert(alike.end(), synonyms.begin(), synonyms.end());
  const std::vector<std::string_view> trade = words_of_trade(word);
  alike.insert(alike.end(), trade.begin(), trade.end());
  return std::any_of(said.begin(), said.end(), [&](const std::string& other) {
    const std::string other_stem = stem_of(other);
    const bool in_compound = makes_compounds(language_) &&
                             (is_kind_in(language_, other_stem, stem) || is_compound_in(language_, other_stem, stem));
    return other_stem == stem || is_form(stem, other_stem) || is_ending_form(language_, other_stem, stem) ||
           in_compound ||
           std::any_of(alike.begin(), alike.end(), [&](std::string_view one) { return stem_of(one) == other_stem; });
  });
}

bool MatterWords::are_in(std::string_view text) const {
  const std::vector<std::string> said = words_of(text);
  return !words_.empty() &&
         std::all_of(words_.begin(), words_.end(), [&](const std::string& word) { return is_said(word, said); });
}

}  // namespace mneme::rag
