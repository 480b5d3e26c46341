#include "rag/answering/sources/spoken_matter.h"

#include <algorithm>
#include <set>

#include "rag/text/languages/stop_words.h"
#include "rag/text/variants/ending_forms.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

std::vector<std::string> matter_of(std::string_view text) {
  std::vector<std::string> stems;
  for (const std::string& word : words_of(text)) {
    if (!is_stop_word(word)) stems.push_back(stem_of(word));
  }
  return stems;
}

bool speak_of(std::span<const std::string_view> texts, const std::vector<std::string>& matter, Language language) {
  std::set<std::string> said;
  for (const std::string_view text : texts) {
    for (const std::string& word : words_of(text)) said.insert(stem_of(word));
  }
  return std::all_of(matter.begin(), matter.end(), [&](const std::string& stem) {
    return said.contains(stem) || std::any_of(said.begin(), said.end(), [&](const std::string& word) {
             return is_ending_form(language, word, stem);
           });
  });
}

}  // namespace mneme::rag
