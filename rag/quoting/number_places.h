// Where in a sentence the numbers stand that a question for a number may be answered by. Threads: pure functions.
#pragma once

#include <string_view>

#include "rag/quoting/quote_question.h"

namespace mneme::rag {

// "About 60 bytes per block" tells nothing of how large a block is: each word that is asked about stands behind "per".
bool tells_rate_only(const QuoteQuestion& question, std::string_view text);

// "Another 62 euros": what comes on top of the price that is asked for.
bool tells_extra_price(std::string_view text);

}  // namespace mneme::rag
