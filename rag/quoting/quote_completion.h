// What a quotation needs behind it to say something whole: the rest of its item, the line that it announces.
// Threads: pure functions.
#pragma once

#include <cstddef>

#include "rag/quoting/passage_outline.h"
#include "rag/quoting/quoting.h"

namespace mneme::rag {

// Bytes of a list that is quoted behind the sentence that announces it.
inline constexpr size_t kLongestTail = 700;

// quote: of part i.
void append_rest_of_item(const PassageOutline& outline, size_t i, QuotedSentence& quote);

}  // namespace mneme::rag
