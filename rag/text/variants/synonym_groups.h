// The thesaurus behind synonyms.h, as data. Threads: pure function.
#pragma once

#include <span>
#include <string>

namespace mneme::rag {

// Each a line of words (word_groups.h) of which any stands for any other, folded (rag/text/words/words.h). A word may
// stand in several. They live as long as the program.
std::span<const std::string> synonym_groups();

}  // namespace mneme::rag
