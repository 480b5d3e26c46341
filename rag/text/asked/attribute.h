// What a question asks to be told of something, and lines that tell it under its very name: "TOTAL $821.14" for "What
// was the total of the receipt?", which "Total points: 3,247" is not. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

// Stem of the noun: "total" of "the total of the receipt" and of "the receipt total", "vin" of "the Jeep's VIN". ""
// where the question names nothing so, or is written without spaces.
std::string asked_attribute(std::string_view question);

// Whether the text is a name of one to four words, all of them the question's and `attribute` among them, and behind it
// a short value with a digit that the question does not have.
bool states_attribute(std::string_view text, std::string_view attribute, std::string_view question);

}  // namespace mneme::rag
