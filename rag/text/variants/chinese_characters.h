// Chinese is written with traditional characters or with simplified ones: who asks with the one kind finds documents in
// the other. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// The text with simplified and with traditional characters, as far as they differ from it; nothing of a text with kana,
// which is Japanese.
std::vector<std::string> in_other_characters(std::string_view text);

}  // namespace mneme::rag
