// Tables of words that belong together: each entry is a group, its words folded and with one space between them.
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace mneme::rag {

template <typename Visit>
void for_each_word(std::string_view group, const Visit& visit) {
  while (!group.empty()) {
    const size_t end = std::min(group.find(' '), group.size());
    visit(group.substr(0, end));
    group.remove_prefix(std::min(end + 1, group.size()));
  }
}

}  // namespace mneme::rag
