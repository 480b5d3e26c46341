// Numbers in questions and answers: which measure a question asks for, what it wants counted, and whether a sentence
// holds a number of that. Rules for the languages of the interface and the commonest others.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

// The measure that an adjective asks for, folded: "long" in "how long is the bridge". A form of asking, no word of the
// matter: what answers says "length", "80 m long", or only a number. Empty where nothing is asked so.
std::string asked_measure(std::string_view question);

// Whether a sum of money is asked for: "how much is the rent", "how much did it cost".
bool asks_price(std::string_view question);
// "cost", "pay": in such a question a form of asking, which answers need not say.
bool is_price_word(std::string_view folded);

// Whether several numbers are to be taken together: "the sum of", "altogether", "on average", "how much did we spend".
bool asks_to_reckon(std::string_view question);
// "total", "altogether": in such a question a form of asking, too.
bool is_sum_word(std::string_view folded);

// What is counted, where a question asks for a number of something: the stem of "piers" in "how many piers", the 年 of
// 何年. What answers says it behind the number. "$" where a price is asked for: any currency answers; kDeadline where
// the last day of something is, kHour where a time of day, kAge where an age, one of physical_units.h where such a
// quantity. Empty where nothing is named, or no number is asked for.
constexpr std::string_view kDeadline = "|";
constexpr std::string_view kHour = ":";
constexpr std::string_view kAge = "~";
std::string asked_unit(std::string_view question);
// Whether 何 asks for a number of something (何メートル), not for a thing (何色).
bool asks_for_count(std::string_view question);

// "€", "руб.": whether a few characters behind a number say that it is a sum.
bool says_money(std::string_view unit);

// From 0 to 1: whether a sentence holds a number, and of what is counted. unit: asked_unit(); empty: of anything.
double counting_cue(std::string_view sentence, std::string_view unit);

// Whether things are counted ("how many"), rather than how much there is of one. English and German.
bool asks_how_many(std::string_view question);
// Whether every number of a sentence stands before a word for what it counts or measures: "187 members", not "Serves
// 4".
bool counts_only_others(std::string_view sentence);

}  // namespace mneme::rag
