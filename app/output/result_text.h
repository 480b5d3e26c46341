// Results as people read them in a terminal. Document and model text is neutralised here. Threads: pure functions.
#pragma once

#include <string>

#include "rag/answering/exchange/answer.h"
#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"

namespace mneme::app {

// "/a/b.md, page 3, lines 10-14"
std::string place_text(const rag::Hit& hit);

// The list of sources below an answer; empty when nothing was cited.
std::string citations_text(const rag::Answer& answer, int columns);

// The same for a text that is kept, a line of Markdown each and without the passages.
std::string citations_markdown(const rag::Answer& answer);

// One line about what was reused, recomputed and how long it took: an approximation is never silent. Empty where no
// model answered and nothing was quoted.
std::string answer_summary(const rag::Answer& answer);

// For --verbose: what took how long, a line, and the passages with their scores, a line each.
std::string answer_details(const rag::Answer& answer);
std::string search_details(const rag::SearchResult& result);

std::string search_text(const rag::SearchResult& result, int columns);
std::string index_text(const rag::IndexReport& report);

}  // namespace mneme::app
