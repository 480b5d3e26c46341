// Questions whether something may be done or has to be ("Can I keep a dog?", "Is smoking allowed?", "Do I have to
// paint?", "Darf man grillen?"), and the sentences that rule on it, be it a yes or a no, in the languages of
// question_words.h. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

enum class Permission { kNone, kMay, kMust };

// What the question asks for; of "how can I ..." nothing.
Permission asked_permission(std::string_view question);

// How much a sentence is such a rule, from 0 to 1: one that says what must be done is half an answer to what may.
double ruling_cue(std::string_view sentence, Permission asked);

// Whether a word (folded) need not be said by the rule: "allowed", and deeds that say hardly more than the thing they
// are done with ("keep a dog", "give notice"). deed: asked_predicate() of the question.
bool only_asks_permission(std::string_view folded, std::string_view deed);

}  // namespace mneme::rag
