// "Who wrote to me about the piano?": the senders of mails, and of letters, which are known by their shape. Threads:
// one question at a time.
#pragma once

#include "base/status.h"
#include "rag/answering/exchange/answer.h"
#include "rag/answering/exchange/asked.h"

namespace mneme::rag {

class Workspace;

// A line for each mail and letter that speaks of every word of the matter, best first, eight at most; of no matter the
// newest. False: none does, or nothing of the kind is asked.
Result<bool> answer_by_senders(Workspace& workspace, const Asked& asked, Answer& answer);

}  // namespace mneme::rag
