// A passage's sentences, for quoting: full stops of any writing, and the borders of lines that stand alone (list items,
// table rows, headings). Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

struct Sentence {
  size_t byte_begin = 0;
  size_t byte_end = 0;  // without trailing space
  bool is_heading = false;
};

std::vector<Sentence> split_sentences(std::string_view text);

// A sentence as one line of running text: marks of lists, headings and emphasis taken off, spaces joined.
std::string plain_sentence(std::string_view sentence);

}  // namespace mneme::rag
