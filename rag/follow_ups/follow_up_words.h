// The words by which questions of a conversation lean on what was said before, in the languages of the interface and
// the commonest others. Data and look-ups only; what follows from them: standalone_query.h. Threads: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rag/text/languages/language.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

// The words of a text in order; none where it is written without spaces.
std::vector<PlacedWord> spaced_words(std::string_view text);
bool begins_with_capital(std::string_view text, const PlacedWord& word);

bool is_determiner(std::string_view folded);   // "the", "unsere", "el"
bool is_preposition(std::string_view folded);  // "for", "im", "del"
bool is_asking_verb(std::string_view folded);  // that asks and names nothing: "cost" of "What does it cost?"
bool is_person_word(std::string_view folded);  // "I", "wir", "on"
bool is_pronoun(std::string_view folded);  // that points back, in any of the languages that this file knows words of
bool is_pronoun(std::string_view folded, Language language);        // ... or in that one
bool is_asking_adverb(std::string_view folded, Language language);  // "when", "waar": any may stand for another
bool only_asks_in(std::string_view folded, Language language);  // a word of grammar that names nothing, if it is known
bool is_lone_article(std::string_view text, std::span<const PlacedWord> words,
                     size_t i);  // "das" of "Ist das mit ...?"
bool is_name_like_article(std::string_view text, std::span<const PlacedWord> words,
                          size_t i);             // "Mia" of "Wie alt ist Mia?", no Italian "my"
bool is_auxiliary(std::string_view folded);      // English ones, that leave the verb for the end
bool is_continuation(std::string_view folded);   // "and", "aber", "y"
bool stands_for_thing(std::string_view folded);  // English pronouns that a thing can be put in place of
bool stands_for_gender(std::string_view pronoun, std::string_view determiner);  // "sie" for "die Kaution"

// How many of the first words continue what was said ("and", "what about").
size_t n_continuing(std::span<const PlacedWord> words, Language language);

}  // namespace mneme::rag
