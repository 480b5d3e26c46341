// Text from right to left, which PDFs hold as it is drawn: from left to right, every word backwards.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::readers {

// Whether most letters are of Arabic, Hebrew or another script written from right to left.
bool reads_from_right(std::string_view text);

// A line, or a word, in the order it is read in; text without letters of such scripts as it is. Presentation forms of
// Arabic become letters. Where lam and alef were drawn as one sign of which the PDF says that it is two letters, their
// order is mended behind the article only: elsewhere nothing tells it.
std::string reading_order(std::string_view visual);

}  // namespace mneme::readers
