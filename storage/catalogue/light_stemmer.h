// Takes common endings off a folded word, so that "chunks", "chunked" and "chunking" meet. English: the inflections of
// Porter's algorithm (steps 1 and 5; plurals and "y" as in his second one), without its derivations, which join words
// that differ; irregular forms and British spelling by table (english_forms.h). Arabic: the articles and endings of the
// "light10" stemmer. Other scripts and words with digits stay as they are. Threads: pure function.
#pragma once

#include <string>

namespace mneme::storage {

void light_stem(std::string& word);

}  // namespace mneme::storage
