// How like the question the candidates for quoting are, in spelling and in meaning. Threads: those of the embedder.
#pragma once

#include <string_view>
#include <vector>

#include "rag/quoting/quote_candidate.h"

namespace mneme::rag {

class Embedder;

// Fill SentenceEvidence::spelling and ::meaning. width: characters of the runs that are compared.
void compare_spelling(std::string_view question, int width, std::vector<QuoteCandidate>& candidates);
// A failing embedder leaves the words to decide.
void compare_meaning(std::string_view question, const Embedder& embedder, std::vector<QuoteCandidate>& candidates);

}  // namespace mneme::rag
