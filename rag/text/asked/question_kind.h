// What a question asks for: a person, a date, a number, a reason, a definition, a list... Whether a sentence holds
// something of that kind: answer_cue.h; questions that ask several things at once: question_parts.h.
// Rules for the languages of the interface and the commonest others; what no rule knows is kOther.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace mneme::rag {

enum class QuestionKind {
  kOther,
  kPerson,
  kDate,
  kNumber,
  kDuration,   // "how long": of time, else of space
  kFrequency,  // "how often"
  kPlace,
  kReason,
  kManner,
  kDefinition,  // "what is a wheel"
  kAttribute,   // "what is the rent of the workshop"
  kList,
  kDifference,  // "what is the difference between a wheel and an egg"
};

QuestionKind kind_of_question(std::string_view question);

// Whether English questions begin with this word, folded as rag/text/words/words.h does.
bool begins_english_question(std::string_view folded);

// "What should I do when the queue is stuck?"
bool asks_what_to_do(std::string_view question);

// Whether nothing but a date can answer: "when was it built", not "when should I use it" or "when is honey ripe".
bool wants_date(std::string_view question);

// Whether a heading names the list that a question asks for by the same word: "Ingredients", 原料. What else the
// question says ("which do I need") need not stand there.
bool heads_asked_list(std::string_view question, std::string_view heading);

// The short form in capitals whose definition a question asks for, folded: "gil" of "What is the GIL?"; "" without one.
std::string short_form_asked(std::string_view question);

// What a question of kDefinition asks about, in its own words: "trait object" of "What is a trait object in Rust?". ""
// for other questions.
std::string asked_thing(std::string_view question);

// "What is the deadline?", "Was ist mein Tarif?": one that the documents have, told of in any sentence; "What is
// attention?" asks what such a thing is.
bool asks_particular(std::string_view question);

}  // namespace mneme::rag
