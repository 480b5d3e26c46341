// Words that say the same in a question and in its answer though no stemmer joins them: "weigh" and "weight", "wrote"
// and "written by", "who sang it" and "singer". English. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// Words that begin alike far enough to be one word in two forms, or a German verb and its participle ("putzen",
// "geputzt"); pairs of characters have none.
bool is_form(std::string_view a, std::string_view b);

// Whether one stem (words.h) is the other inflected where too short for the stemmer, or with its consonant doubled:
// "move" and "moved", "swim" and "swimm(ing)". English; is_form(), too.
bool is_inflection(std::string_view a, std::string_view b);

// Whether a compound may begin with a word: with all of it, or with what it is derived from ("Dachdeckerrechnung" with
// that of "Dachdeckerei").
bool may_begin_compound(std::string_view compound, std::string_view first);
// Whether a word is made of two others, as German and its relatives make them: "schlusselkastens" of "schlussel" and
// "kasten", whose own endings may be cut off.
bool is_compound_of(std::string_view compound, std::string_view first, std::string_view second);

// Irregular forms of a word and what its doer, doing or measure is called, as folded words (rag/text/words/words.h);
// without the word itself. Empty for most words. The views live as long as the program.
std::vector<std::string_view> related_words(std::string_view folded);

// "Breakdown" for "breaks" of "when the car breaks down": a verb (folded, as asked) and the noun that it makes with the
// particle behind it, or another word for both ("rises" of "goes up"). English.
struct JoinedVerb {
  std::string verb;
  std::string noun;
};
std::vector<JoinedVerb> joined_verbs(std::string_view text);

// "stored" of "Where is it stored?", folded; by its ending, of English alone.
bool is_participle(std::string_view folded);

}  // namespace mneme::rag
