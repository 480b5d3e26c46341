// How texts tell what something costs: with a currency, or without as an amount on a bill whose currency stands at its
// end ("Travel 25.00"), as a share, as so many months' rent, or as nothing. Threads: pure functions.
#pragma once

#include <optional>
#include <string_view>

namespace mneme::rag {

// "€", "руб.": whether a few characters behind a number say that it is a sum.
bool says_money(std::string_view unit);
// A number with two decimals that is no day, section or quantity of something: "54,90", "1.124,60".
bool holds_amount(std::string_view sentence);
// "2 %", "two percent".
bool says_share(std::string_view sentence);
// "Free for children", "two months' rent", 賃料の1か月分, "there is no deposit".
bool says_price_in_words(std::string_view sentence);
// The first sum of money in a text, with cents or a currency beside it: 18400 of "Price: 18,400 €".
std::optional<double> sum_in(std::string_view text);

}  // namespace mneme::rag
