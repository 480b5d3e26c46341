#include "ui/view_model/document_places.h"

#include <algorithm>

#include "rag/chunking/page_marks.h"

namespace mneme::ui {

int DocumentPlaces::line_of(uint64_t byte) const {
  return static_cast<int>(std::upper_bound(line_begins.begin(), line_begins.end(), byte) - line_begins.begin());
}

int DocumentPlaces::page_of(uint64_t byte) const {
  if (passages.empty()) return 0;
  const auto behind = std::upper_bound(passages.begin(), passages.end(), byte,
                                       [](uint64_t b, const Passage& passage) { return b < passage.byte; });
  const Passage& passage = behind == passages.begin() ? *behind : *(behind - 1);
  return chunking::page_at(passage.marks, passage.page, byte - std::min(byte, passage.byte));
}

std::vector<uint32_t> line_begins_of(std::string_view text) {
  std::vector<uint32_t> begins = {0};
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    begins.push_back(static_cast<uint32_t>(at + 1));
  return begins;
}

}  // namespace mneme::ui
