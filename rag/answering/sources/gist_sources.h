// The sources of a question for what a document says as a whole ("Summarise the lease"): passages of that document in
// their order, its beginning and, for a model, some of what follows. Threads: one question at a time.
#pragma once

#include "base/status.h"
#include "rag/answering/exchange/asked.h"
#include "rag/answering/sources/question_sources.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

class Workspace;

// Leaves `found` alone where no such thing is asked for, or no document is called so; where nothing tells which one is
// meant ("Summarise it"), nothing is found, with a note. The document that the question
// names, by its title, file or folders; else the one that the last answer cited, or the only one there is. model: which
// is to answer; null where its beginning is quoted.
Status find_gist(Workspace& workspace, const Asked& asked, const engine::LanguageModel* model, QuestionSources& found);

}  // namespace mneme::rag
