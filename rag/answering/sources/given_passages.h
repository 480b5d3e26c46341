// Passages that the caller names instead of having them retrieved: texts as they are, whole files (`--context`).
// Threads: pure functions, but for the files read.
#pragma once

#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/answering/exchange/ask_options.h"
#include "rag/retrieval/retriever.h"

namespace mneme::rag {

// Of a text.
Hit given_passage(const ContextPassage& passage);

// Of a file: one for it, or one for each file in a container. Failures are those of the reader.
Result<std::vector<Hit>> passages_of_file(const std::string& path, const CancelToken& cancel);

}  // namespace mneme::rag
