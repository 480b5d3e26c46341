// Words put together without a space, as German and its relatives do it. All words folded (rag/text/words/words.h).
// Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// Whether a German compound is a kind of what the word says: "kaltmiete" is a "miete".
bool is_kind_of(std::string_view compound, std::string_view word);

// Whether a compound tells of a thing that the word says: "bremsbelag" of "bremsen".
bool is_compound_with(std::string_view compound, std::string_view word);

// "Kundigung" of "kundigungsfrist", "miet" of "mietdauer": how long which thing takes is asked for by one word. Empty
// for other words.
std::string_view thing_of_duration(std::string_view compound);

// Whether a compound may begin with a word: with all of it, or with what it is derived from ("Dachdeckerrechnung" with
// that of "Dachdeckerei").
bool may_begin_compound(std::string_view compound, std::string_view first);

// Whether a word is made of two others, as German and its relatives make them: "schlusselkastens" of "schlussel" and
// "kasten", whose own endings may be cut off.
bool is_compound_of(std::string_view compound, std::string_view first, std::string_view second);

}  // namespace mneme::rag
