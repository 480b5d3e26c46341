// Tesseract's table of the words of a picture, page by page, turned the way the picture is held. Internal to
// rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers {

// One table a page.
std::vector<std::string_view> pages_of_words(std::string_view tsv);

// Whether Tesseract doubts most of what it read: leaves and shadows give words that nobody wrote.
bool is_doubtful(std::string_view page);

// Places in a picture that was stored turned, as they are in the picture as it is held. orientation: as Exif has it; of
// those that are mirrored nothing is changed.
std::string turned_words(std::string_view tsv, int orientation);

}  // namespace mneme::readers
