// What a question asks something of, as its grammar shows: "mayor" of "Who is the mayor of Utrecht?", "breed" of "What
// breed is Milo?", "network" of "How long is Corvid's network?", "boats" of "How many boats are there?". What is told
// of Utrecht but of no mayor does not answer. English and German. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// Its words, folded (rag/text/words/words.h). Empty where the form shows none, or only words that ask ("the date of
// ...").
std::vector<std::string> asked_subject(std::string_view question);

// What the subject is of: "washing machine" of "How long is the warranty of the washing machine?". Mostly empty.
std::vector<std::string> asked_whole(std::string_view question);

// Whose it is, as a name: "Hanna Vogel" of "What is Hanna Vogel's blood pressure?", its words folded. Mostly empty.
std::vector<std::string> asked_owner(std::string_view question);

// "What is the consultant's daily rate?": what is asked for by its name is a sum of money, mostly.
bool asks_named_sum(std::string_view question);

// "New", "current": the sum that holds now need not be called so.
bool says_which_holds(std::string_view folded);

// Whether a word (folded) only says what kind of answer is asked for, which shows by itself: "value", "date", "level".
bool names_kind_of_answer(std::string_view folded);

}  // namespace mneme::rag
