// Numbers that questions ask for: which measure, and what is to be counted. Whether a sentence holds such a number:
// told/quantity.h. Rules for the languages of the interface and the commonest others. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

// The measure that an adjective asks for, folded: "long" in "how long is the bridge". A form of asking, no word of the
// matter: what answers says "length", "80 m long", or only a number. Empty where nothing is asked so.
std::string asked_measure(std::string_view question);

// What is counted, where a question asks for a number of something: the stem of "piers" in "how many piers", the 年 of
// 何年. What answers says it behind the number. kMoney where a price is asked for: any currency answers; kDeadline
// where the last day of something is, kHour where a time of day, kAge where an age, one of physical_units.h where such
// a quantity. Empty where nothing is named, or no number is asked for.
// kIntroduced where nothing is asked but who somebody is.
constexpr std::string_view kIntroduced = "?introduced";
constexpr std::string_view kMoney = "$";
constexpr std::string_view kDeadline = "|";
constexpr std::string_view kHour = ":";
constexpr std::string_view kAge = "~";
std::string asked_unit(std::string_view question);
// Whether 何 asks for a number of something (何メートル), not for a thing (何色).
bool asks_for_count(std::string_view question);
// Whether things are counted ("how many"), rather than how much there is of one. English and German.
bool asks_how_many(std::string_view question);

}  // namespace mneme::rag
