// Which line or page a byte of a document's text lies on. Threads: immutable once filled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::ui {

struct DocumentPlaces {
  struct Passage {
    uint64_t byte = 0;
    int page = 0;       // that it begins on
    std::string marks;  // where further ones begin in it (rag/chunking/page_marks.h)
  };
  std::vector<uint32_t> line_begins;  // empty where the text is not made of the file's own lines
  std::vector<Passage> passages;      // ascending; empty where the format has no pages

  int line_of(uint64_t byte) const;  // from 1; 0: unknown
  int page_of(uint64_t byte) const;  // likewise
};

// Where the lines of a text of less than 4 GB begin.
std::vector<uint32_t> line_begins_of(std::string_view text);

}  // namespace mneme::ui
