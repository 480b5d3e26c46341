// What a thing is, is told where authors introduce it ("What is CacheBlend?"): "We present CacheBlend, a scheme that
// ...", "In diesem Artikel stellen wir CacheBlend vor", "Karmel, a small language for robots, ...". Rules of form;
// English, German, French, Spanish. Threads: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "rag/text/words/placed_words.h"

namespace mneme::rag {

// From 0 to 1: whether a sentence, of these words, introduces the thing that stands at words[first] up to words[end].
double introduces_thing(std::string_view sentence, std::span<const PlacedWord> words, size_t first, size_t end);

}  // namespace mneme::rag
