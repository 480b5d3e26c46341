// What a message of a chat or a paragraph of a transcript begins with: "[18:07] Ben Huber: ", "[00:04:12] ". It says
// who said it and when, and is no part of what was said. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace mneme::rag {

// Bytes at the beginning of a line, the space behind it included; 0: none.
size_t said_mark(std::string_view line);

}  // namespace mneme::rag
