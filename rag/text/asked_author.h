// "Who wrote it?", "Who signed the lease?": papers say so in so many words, or not at all. Whoever else they name did
// something else. English and German. Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// Whether a question asks who wrote, signed or approved something.
bool asks_author(std::string_view question);
// Whether a text tells that somebody did: "Author: ", "a novel by", "Signed: ", "Kind regards".
bool tells_author(std::string_view text);

}  // namespace mneme::rag
