#include "ui/view_model/text_search.h"

#include <optional>

#include "base/utf8.h"
#include "storage/catalogue/sought_text.h"

namespace mneme::ui {
namespace {

using storage::SoughtCharacters;

// Where what begins at `at` ends, if it is what is sought, with the marks of its last letter.
std::optional<size_t> end_of_place(std::string_view text, size_t at, const std::u32string& sought) {
  SoughtCharacters characters(text, at);
  for (const char32_t c : sought) {
    if (characters.next() != c) return std::nullopt;
  }
  characters.pass_marks();
  return characters.at();
}

std::u32string characters_of(std::string_view text) {
  std::u32string all;
  for (size_t at = 0; at < text.size();) all += utf8::next(text, at);
  return all;
}

}  // namespace

std::vector<TextPlace> places_of(std::string_view text, std::string_view sought, size_t most) {
  std::vector<TextPlace> places;
  const std::u32string wanted = characters_of(storage::sought_text(sought));
  if (wanted.empty()) return places;
  for (size_t at = 0; at < text.size() && places.size() < most;) {
    SoughtCharacters begin(text, at);
    begin.pass_marks();  // they belong to the letter before
    at = begin.at();
    if (at == text.size()) break;
    if (const std::optional<size_t> end = end_of_place(text, at, wanted)) {
      places.push_back({at, *end});
      at = *end;
    } else {
      utf8::next(text, at);
    }
  }
  return places;
}

std::string sought_text(std::string_view text) {
  return storage::sought_text(text);
}

bool says(std::string_view text, std::string_view sought) {
  return sought_text(text).find(sought_text(sought)) != std::string::npos;
}

}  // namespace mneme::ui
