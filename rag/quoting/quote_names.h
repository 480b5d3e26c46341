// What a quotation is called by, put before it: its document where the document's name is the answer, its program where
// a manual's page says what that does. Threads: pure functions.
#pragma once

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/quoting.h"

namespace mneme::rag {

// Both leave a quotation alone that says the name itself.
void name_document(const AskedPassages& asked, QuotedSentence& quote);
void name_manual(const AskedPassages& asked, QuotedSentence& quote);

}  // namespace mneme::rag
