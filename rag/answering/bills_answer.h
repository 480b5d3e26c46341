// Questions for what was paid for something, answered from bills and receipts where no table tells of payments for it.
// Threads: one question at a time.
#pragma once

#include "base/status.h"
#include "rag/answering/exchange/answer.h"
#include "rag/answering/exchange/asked.h"
#include "rag/text/asked/payments.h"

namespace mneme::rag {

class Workspace;

// A bill (rag/quoting/bills.h) counts with its total where its names or its head speak of the matter, else with the
// positions that do. Offers and payslips are no bills, and what was received is told by none. False: nothing is found,
// or no matter is asked for, since among bills may be those that somebody else has to pay.
Result<bool> answer_by_bills(Workspace& workspace, const Asked& asked, const AskedPayments& wanted, Answer& answer);

}  // namespace mneme::rag
