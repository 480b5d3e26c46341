// "What is wrong with the lamp?": what notes, lists and mails tell of its defects. Threads: one question at a time.
#pragma once

#include "base/status.h"
#include "rag/answering/exchange/answer.h"
#include "rag/answering/exchange/asked.h"

namespace mneme::rag {

class Workspace;

// Sentences, items and rows that tell of a defect and name the thing, six at most; where none does, those that stand
// under a heading or title which does. False: nothing of the kind is asked, or none is found.
Result<bool> answer_by_states(Workspace& workspace, const Asked& asked, Answer& answer);

}  // namespace mneme::rag
