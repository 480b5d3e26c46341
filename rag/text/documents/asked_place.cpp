#include "rag/text/documents/asked_place.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/text/documents/document_vocabulary.h"
#include "rag/text/words/placed_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostBeside = 3;  // words: "of the framework agreement"

bool is_number_part(char c) {
  return is_digit(c) || c == '.';
}

// "7.3" at `at`, without a full stop at its end.
std::string_view number_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && is_number_part(text[end])) ++end;
  while (end > at && text[end - 1] == '.') --end;
  return text.substr(at, end - at);
}

// "B" of "Annex B".
bool is_letter_alone(std::string_view text, size_t at) {
  return at < text.size() && text[at] >= 'A' && text[at] <= 'Z' &&
         (at + 1 >= text.size() || (!is_letter(text[at + 1]) && !is_digit(text[at + 1])));
}

// The place whose word ends before `behind`.
AskedPlace place_behind(std::string_view question, const PlacedWord& word, const DocumentVocabulary& v) {
  const size_t at = question.find_first_not_of(' ', word.end);
  if (at == std::string_view::npos || at == word.end) return {};
  const bool called = v.annexes.has(word.text);
  if (!called && !v.sections.has(word.text)) return {};
  const std::string named = called ? word.text : std::string();
  if (const std::string_view number = number_at(question, at); !number.empty()) return {named, std::string(number)};
  if (called && is_letter_alone(question, at))
    return {named, std::string(1, lower_ascii(question.substr(at, 1)).front())};
  return {};
}

struct FoundPlace {
  AskedPlace place{};
  bool is_asked = false;
};

FoundPlace place_in(std::string_view question, std::span<const PlacedWord> words, const DocumentVocabulary& v) {
  if (!v.place_asking.is_within(words)) return {};
  for (size_t i = 0; i < words.size(); ++i) {
    AskedPlace place = place_behind(question, words[i], v);
    if (place.empty()) continue;
    // "What is section 7.3 of the agreement about?": the number itself, and what it is of.
    const bool is_asked = words.size() - i - 1 <= 2 * kMostBeside + 2;
    return {std::move(place), is_asked};
  }
  return {};
}

// Any language's: a heading may be in another one than the question.
bool is_section(std::string_view folded) {
  const auto vocabularies = document_vocabularies();
  return std::any_of(vocabularies.begin(), vocabularies.end(),
                     [&](const DocumentVocabulary& v) { return v.sections.has(folded); });
}

}  // namespace

AskedPlace asked_place(std::string_view question) {
  const std::vector<PlacedWord> words = placed_words(question);
  return asked_in_any_language(
             question, [&](const DocumentVocabulary& vocabulary) { return place_in(question, words, vocabulary); })
      .place;
}

bool begins_place(const AskedPlace& place, std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of("# *§"), line.size()));
  const std::string folded = folded_text(line.substr(0, std::min<size_t>(line.size(), 40)));
  if (!place.word.empty()) {
    const std::string name = place.word + " " + folded_text(place.number);
    return folded == name || folded.starts_with(name + " ");
  }
  size_t at = 0;
  while (at < line.size() && !is_digit(line[at]) && at < 24 && (is_letter(line[at]) || line[at] == ' ')) ++at;
  const std::string_view word = at > 0 ? line.substr(0, at - 1) : std::string_view();
  if (at > 0 && (line[at - 1] != ' ' || !is_section(folded_text(word)))) return false;  // "Section 7.3"
  const std::string_view number = number_at(line, at);
  const size_t behind = at + number.size();
  return number == place.number && (behind == line.size() || !is_letter(line[behind]));
}

}  // namespace mneme::rag
