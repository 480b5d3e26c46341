// Answers that add up: what was paid or received altogether, by the tables of payments that are indexed (bank
// statements, lists of expenses). They come from the catalogue alone, also where a model is named: no model adds up
// what it cannot see all of. Threads: one question at a time.
#pragma once

#include "base/status.h"
#include "rag/answering/exchange/answer.h"
#include "rag/answering/exchange/asked.h"

namespace mneme::rag {

class Workspace;

// False, with `answer` as it was, where no such sum is asked for, no row tells of it, or there are more tables than can
// be read while somebody waits; the question is then one like others. The first line says what was added to what
// ("45.00 = 30.00 + 15.00"), the others are the rows.
Result<bool> answer_by_payments(Workspace& workspace, const Asked& asked, Answer& answer);

}  // namespace mneme::rag
