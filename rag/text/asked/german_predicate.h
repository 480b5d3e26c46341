// What is said to happen to a thing that a German question asks about: "endet" of "Wann endet mein Vertrag?", "gekauft"
// of "Wann habe ich die Stiefel gekauft?". Read off the order of words, and off capitals, which nouns have and verbs
// have not. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

// Folded; "" where the order does not show it, and of other languages.
std::string german_predicate(std::string_view question);

}  // namespace mneme::rag
