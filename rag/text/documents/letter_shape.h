// Whether a text is a letter, by its shape: somebody is greeted in a line of their own, and behind what is said stands
// a closing with a name. In the languages of rag/text/languages/papers. Threads: pure function.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

struct LetterShape {
  bool is_letter = false;
  std::string sender;  // who signed it, as it is written; "" where no name stands behind the closing
};

// text: all of it, or its beginning and its end. Only its first 64 KiB are looked at.
LetterShape letter_shape(std::string_view text);

}  // namespace mneme::rag
