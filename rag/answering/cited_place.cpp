#include "rag/answering/cited_place.h"

#include <algorithm>
#include <string>

#include "rag/answering/cited_words.h"
#include "rag/chunking/page_marks.h"
#include "rag/retrieval/retriever.h"

namespace mneme::rag {

CitedPlace cited_place(const Hit& source, std::string_view answer, int n) {
  const auto n_breaks = [](std::string_view text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  };
  CitedPlace place;
  place.page = source.page;
  const std::string said = words_citing(answer, n);
  if (said.empty()) return place;
  place.byte = first_line_said(source.text, said);
  place.page = chunking::page_at(source.page_marks, source.page, place.byte);
  const bool as_in_file = source.line_start > 0 && source.line_end - source.line_start == n_breaks(source.text);
  if (as_in_file) place.line = source.line_start + n_breaks(std::string_view(source.text).substr(0, place.byte));
  return place;
}

}  // namespace mneme::rag
