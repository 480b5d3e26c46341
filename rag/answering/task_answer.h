// Answers that list what there is to do: the tasks that documents hold, open ones or those that are done, of all that
// is indexed or of one matter. They come from the catalogue alone, also where a model is named, which sees a few
// passages and not all of them. Threads: one question at a time.
#pragma once

#include "base/status.h"
#include "rag/answering/exchange/answer.h"
#include "rag/answering/exchange/asked.h"

namespace mneme::rag {

class Workspace;

// False, with `answer` as it was, where nothing of the kind is asked for, or no task is found; the question is then one
// like others.
Result<bool> answer_by_tasks(Workspace& workspace, const Asked& asked, Answer& answer);

}  // namespace mneme::rag
