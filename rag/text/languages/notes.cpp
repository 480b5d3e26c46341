#include "rag/text/languages/notes.h"

#include <algorithm>

#include "rag/text/languages/language_facts.h"

namespace mneme::rag {

namespace {

constexpr size_t kDigitsTogether = 3;

const NoteTexts& texts_for(std::string_view question) {
  const NoteTexts* const own = facts_of(language_of(question)).notes;
  return own == nullptr ? notes::kEnglish : *own;
}

}  // namespace

std::string filled(std::string_view text, std::initializer_list<NoteFilling> fillings) {
  std::string all;
  while (!text.empty()) {
    const size_t open = std::min(text.find('{'), text.size());
    all.append(text.substr(0, open));
    text.remove_prefix(open);
    const size_t close = text.find('}');
    if (close == std::string_view::npos) return all.append(text);
    const std::string_view name = text.substr(1, close - 1);
    const auto* const filling =
        std::find_if(fillings.begin(), fillings.end(), [&](const NoteFilling& one) { return one.name == name; });
    if (filling != fillings.end()) all.append(filling->value);
    text.remove_prefix(close + 1);
  }
  return all;
}

std::string note_for(std::string_view question, Note note, std::initializer_list<NoteFilling> fillings) {
  return filled(texts_for(question).*note, fillings);
}

std::string number_for(std::string_view question, int64_t number) {
  const std::string_view between = texts_for(question).digit_groups;
  std::string digits = std::to_string(number);
  const size_t first = number < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + kDigitsTogether;) digits.insert(at -= kDigitsTogether, between);
  return digits;
}

}  // namespace mneme::rag
