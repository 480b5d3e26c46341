// The sentences that are quoted from what was found for a question. Threads: pure function.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "rag/answering/sources/question_sources.h"
#include "rag/quoting/quoting.h"

namespace mneme::rag {

class Embedder;

// Best first; the passages of the quotations are places in `hits`, which are what was found.
Quotations quotes_from(const QuestionSources& found, std::span<const std::reference_wrapper<const Hit>> hits,
                       const Embedder& embedder);

}  // namespace mneme::rag
