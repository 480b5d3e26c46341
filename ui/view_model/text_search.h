// Where a text says what somebody looks for, compared as storage/catalogue/sought_text.h does. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::ui {

struct TextPlace {
  size_t begin = 0;  // bytes
  size_t end = 0;
  bool operator==(const TextPlace&) const = default;
};

// In order and apart from each other, the first `most` of them; none for white space alone.
std::vector<TextPlace> places_of(std::string_view text, std::string_view sought, size_t most);

// A text as it is compared: what holds another one so says it.
std::string sought_text(std::string_view text);
// Whether a text says what is sought. Of nothing, or white space alone, every text does.
bool says(std::string_view text, std::string_view sought);

}  // namespace mneme::ui
