// Other ways in which documents may have a word of a question: spelled with other letters ("Suedtirol" for "Südtirol",
// "oeufs" for "œufs"), or inflected otherwise ("страховку" for "страховка"). Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// A word as it is written, with letters and their replacements exchanged; nothing where it has none.
std::vector<std::string> spelling_variants(std::string_view written);

// What may be forms of a folded word, in Russian or in a language of Latin letters other than English: its beginning
// with other endings. Most are no words at all.
std::vector<std::string> possible_forms(std::string_view folded);

// What a German participle may be of, "backen" of "gebacken": said of the same, whatever else has its letters.
std::vector<std::string> infinitives_of(std::string_view folded);

// What an English word may be a degree of: "hilly" of "hilliest".
std::vector<std::string> compared_words(std::string_view folded);

}  // namespace mneme::rag
