#include "rag/answering/citations/cited_place.h"

#include <algorithm>
#include <string>

#include "rag/answering/citations/cited_words.h"
#include "rag/answering/exchange/answer.h"
#include "rag/chunking/page_marks.h"

namespace mneme::rag {

namespace {

int n_breaks(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

bool has_lines_of_file(const Hit& source) {
  return source.line_start > 0 && source.line_end - source.line_start == n_breaks(source.text);
}

int line_at(const Hit& source, size_t byte) {
  return source.line_start + n_breaks(std::string_view(source.text).substr(0, byte));
}

// The words of quotations are not looked for: cells of one word, or a heading that was put before them, would be found
// elsewhere.
CitedPlace place_of_quotes(const Citation& citation) {
  CitedPlace place;
  place.byte = citation.quotes.front().begin;
  if (!has_lines_of_file(citation.source)) return place;
  Stretch all = citation.quotes.front();
  for (const Stretch& quote : citation.quotes) {
    all.begin = std::min(all.begin, quote.begin);
    all.end = std::max(all.end, quote.end);
  }
  place.line = line_at(citation.source, all.begin);
  place.last_line = line_at(citation.source, std::max(all.begin + 1, all.end) - 1);
  return place;
}

CitedPlace place_said(const Citation& citation, std::string_view answer) {
  CitedPlace place;
  const std::string said = words_citing(answer, citation.n);
  if (said.empty()) return place;
  place.byte = first_line_said(citation.source.text, said);
  if (has_lines_of_file(citation.source)) place.line = place.last_line = line_at(citation.source, place.byte);
  return place;
}

}  // namespace

CitedPlace cited_place(const Citation& citation, std::string_view answer) {
  CitedPlace place = citation.quotes.empty() ? place_said(citation, answer) : place_of_quotes(citation);
  const Hit& source = citation.source;
  place.page = chunking::page_at(source.page_marks, source.page, place.byte);
  return place;
}

}  // namespace mneme::rag
