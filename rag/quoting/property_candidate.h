// What the properties of a document's file tell of it that its text need not say: who wrote it, and when, of a LaTeX
// source, a PDF, a file of an office program. Threads: pure functions.
#pragma once

#include <cstddef>

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/quote_candidate.h"

namespace mneme::rag {

// "Tide survey: author: Ann Hale", where it is asked who wrote the tide survey, or when; its text is empty for all
// other questions, and where passage p is of a document that the question does not call by its name.
QuoteCandidate property_candidate(const AskedPassages& asked, size_t p);

}  // namespace mneme::rag
