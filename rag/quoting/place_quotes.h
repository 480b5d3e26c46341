// What stands in a numbered place that a question asks for: a section ("What does section 7.3 say?"), from where it
// begins to the next one, or a page. Threads: pure functions.
#pragma once

#include <span>
#include <vector>

#include "rag/quoting/outline/passage_outline.h"
#include "rag/quoting/quoting.h"
#include "rag/text/documents/asked_place.h"

namespace mneme::rag {

// One of each passage that has the place, those first where it begins. None where no passage does.
std::vector<QuotedSentence> quotes_of_place(const AskedPlace& place, std::span<const PassageOutline> outlines);

inline constexpr size_t kLongestPlace = 900;  // bytes that are quoted of one

// All that the passages say, as far as there is room: what stands on a page that is asked for.
std::vector<QuotedSentence> quotes_of_all(std::span<const QuotePassage> passages, size_t most_bytes = kLongestPlace);

}  // namespace mneme::rag
