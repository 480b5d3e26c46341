// What is peculiar to German: nouns begin with a capital, so that a capital is no sign of a name, and words are put
// together without a space. Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// By its grammar words, those that English has, too, left out ("was", "die", "in").
bool is_german(std::string_view text);

// Whether a German compound is a kind of what the word says: "kaltmiete" is a "miete". Both folded.
bool is_kind_of(std::string_view compound, std::string_view word);

// Whether a compound tells of a thing that the word says: "bremsbelag" of "bremsen". Both folded.
bool is_compound_with(std::string_view compound, std::string_view word);

// "Kundigung" of "kundigungsfrist", "miet" of "mietdauer": how long which thing takes is asked for by one word. Empty
// for other words.
std::string_view thing_of_duration(std::string_view compound);

}  // namespace mneme::rag
