// Names of a program's things as they stand in questions: "kLongCode", "max_bytes". Threads: pure functions.
#pragma once

#include <string_view>
#include <vector>

namespace mneme::rag {

// Words of ASCII letters, digits and underscores that no text but a program's has: with an underscore between others,
// or a capital behind a small letter. Views into `text`.
std::vector<std::string_view> identifiers_in(std::string_view text);

}  // namespace mneme::rag
