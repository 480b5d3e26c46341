// Whether a text says one of several phrases as whole words. Threads: pure functions.
#pragma once

#include <span>
#include <string_view>

namespace mneme::rag {

// folded: folded_text() (words.h) with a space before and after. Phrases are folded, too; in scripts without spaces
// they may stand within a word.
bool says_any(std::string_view folded, std::span<const std::string_view> phrases);

}  // namespace mneme::rag
