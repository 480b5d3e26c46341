// What is said to happen to a thing that a question asks about: "stored" of "Where is the descaler stored?", "makes" of
// "Who makes the cake?". The documents name the thing, and tell what happens to it in words of their own. English.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

// Folded; "" where no form shows which word it is.
std::string asked_predicate(std::string_view question);

// Whether a folded word has an ending that verbs have of who asks, alone or among others, in French, Spanish, Italian,
// Portuguese or Russian: "alojamos", "живем". Endings that English words have are none.
bool is_verb_of_asker(std::string_view folded);

}  // namespace mneme::rag
