#include "rag/answering/cited_place.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "rag/answering/cited_words.h"
#include "rag/retrieval/retriever.h"

namespace mneme::rag {

namespace {

template <typename Number>
bool is_number_of(std::string_view digits, Number& number) {
  return std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc();
}

}  // namespace

CitedPlace cited_place(const Hit& source, std::string_view answer, int n) {
  const auto n_breaks = [](std::string_view text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  };
  CitedPlace place;
  place.page = source.page;
  const std::string said = words_citing(answer, n);
  if (said.empty()) return place;
  place.byte = first_line_said(source.text, said);
  place.page = page_at(source, place.byte);
  const bool as_in_file = source.line_start > 0 && source.line_end - source.line_start == n_breaks(source.text);
  if (as_in_file) place.line = source.line_start + n_breaks(std::string_view(source.text).substr(0, place.byte));
  return place;
}

int page_at(const Hit& source, size_t byte) {
  int page = source.page;
  const std::string_view marks = source.page_marks;
  for (size_t at = 0; at < marks.size();) {
    const size_t end = std::min(marks.find(' ', at), marks.size());
    const std::string_view mark = marks.substr(at, end - at);
    const size_t colon = mark.find(':');
    size_t begins = 0;
    int number = 0;
    const bool read = colon != std::string_view::npos && is_number_of(mark.substr(0, colon), begins) &&
                      is_number_of(mark.substr(colon + 1), number);
    if (!read || begins > byte) break;
    page = number;
    at = end + 1;
  }
  return page;
}

}  // namespace mneme::rag
