// Which sources an answer cites, and whether their words bear it out. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rag/answering/exchange/answer.h"

namespace mneme::rag {

// Reads the [n] of a model's answer: marks the sources that are cited, and quoted; notes numbers that are no source;
// lists sentences that no cited passage bears out, unless a short answer was asked for (it is no sentence, and is not
// asked to cite).
void check_citations_of(Answer& answer, std::string_view question, bool short_answer);

// Fills Answer::citations with the cited sources, each with the page of its words: a passage may go over a page's end.
void collect_citations(Answer& answer);

// The documents it quotes from or cites, by path, each once, best first.
std::vector<std::string> cited_documents(std::span<const Citation> citations);

}  // namespace mneme::rag
