// The sources of a question for what stands on a page ("What does page 3 of the lease say?"): the passages of that
// page, of the document that the question names, else of one that the last answer cited, else of the only one with
// pages. Threads: one question at a time.
#pragma once

#include "base/status.h"
#include "rag/answering/exchange/asked.h"
#include "rag/answering/sources/question_sources.h"

namespace mneme::rag {

class Workspace;

// Leaves `found` alone where no page is asked for, or no document is meant that has pages. Where the one that is meant
// has no such page, nothing is found, with a note.
Status find_page(Workspace& workspace, const Asked& asked, QuestionSources& found);

}  // namespace mneme::rag
