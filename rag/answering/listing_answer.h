// Answers that list documents: those that speak of something, those that are called something, the newest or
// those of a year, or how many there are.
// They come from the catalogue alone, also where a model is named, which sees a few passages and not what there is.
// Threads: one question at a time.
#pragma once

#include "base/status.h"
#include "rag/answering/exchange/answer.h"
#include "rag/answering/exchange/asked.h"

namespace mneme::rag {

class Workspace;

// False, with `answer` as it was, where nothing of the kind is asked for, or no document is found so; the question is
// then one like others.
Result<bool> answer_by_listing(Workspace& workspace, const Asked& asked, Answer& answer);

}  // namespace mneme::rag
