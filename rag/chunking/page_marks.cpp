#include "rag/chunking/page_marks.h"

#include <charconv>
#include <system_error>

namespace mneme::chunking {

void add_page_mark(std::string& marks, uint64_t byte, int page) {
  if (!marks.empty()) marks += ' ';
  marks += std::to_string(byte) + ':' + std::to_string(page);
}

int page_at(std::string_view marks, int first_page, uint64_t byte) {
  const char* at = marks.data();
  const char* const end = at + marks.size();
  int page = first_page;
  while (at < end) {
    uint64_t begins = 0;
    int next = 0;
    const auto [colon, bad_byte] = std::from_chars(at, end, begins);
    if (bad_byte != std::errc{} || colon == end || *colon != ':') break;
    const auto [space, bad_page] = std::from_chars(colon + 1, end, next);
    if (bad_page != std::errc{} || begins > byte) break;
    page = next;
    at = space == end ? end : space + 1;
  }
  return page;
}

}  // namespace mneme::chunking
