// How far words read out of quotations can answer a question at all, whatever the model that read them holds likely.
// Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// Whether they say anything that the question does not; one of two things that it names is news as well.
bool says_more_than(std::string_view question, std::string_view words);

// "Is it on Monday or on Tuesday?"
bool offers_choice(std::string_view question);

// Whether they are of the kind asked for, as far as their form shows it: a day, a number, how long it takes, a
// telephone number, somebody and not the thing that is asked of, nor a day.
bool fits_kind(std::string_view question, std::string_view words);

// What their probability counts, above 0 and at most 1: less where they are no news, or of another kind.
double brief_fit(std::string_view question, std::string_view words);

}  // namespace mneme::rag
