// The cells of tables that an answer says: "Tool: Chainsaw; Day: 38 €" says "| Chainsaw | 38 € |", of which no cell is
// long enough to be told by itself. Threads: immutable after construction.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mneme::rag {

class SaidCells {
 public:
  // `said`: what an answer says, in lines. Compared as cited_words.h does.
  explicit SaidCells(std::string_view said);

  // Bytes of a line's cells, without those that are said as names before a colon, where one line of what is said has
  // all of them; 0 for other lines, and for those that are no rows of two cells or more.
  size_t shared_with(std::string_view line) const;

 private:
  struct Place {
    size_t line = 0;
    bool is_value = false;  // not only a name
  };
  std::unordered_map<std::string, std::vector<Place>> places_;  // of each cell, in order
};

}  // namespace mneme::rag
