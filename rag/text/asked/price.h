// Whether a question asks for a sum of money, and its words that only say so. Rules for the languages of the interface
// and the commonest others. Threads: pure functions.
#pragma once

#include <string_view>

#include "rag/text/languages/language.h"

namespace mneme::rag {

// "How much is the rent?", "How much did it cost?"
bool asks_price(std::string_view question);
// "Verdient", "gagne": money is asked for, and the word says of what kind.
bool is_earning_word(std::string_view folded);
// "cost", "pay": in such a question a form of asking, which answers need not say.
bool is_price_word(std::string_view folded, Language language = Language::kUnknown);

// Whether several numbers are to be taken together: "the sum of", "altogether", "on average", "how much did we spend".
bool asks_to_reckon(std::string_view question);
// "total", "altogether": in such a question a form of asking, too.
bool is_sum_word(std::string_view folded);

}  // namespace mneme::rag
