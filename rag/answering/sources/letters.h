// Which documents are letters: known by their shape (text/documents/letter_shape.h), whatever they are called. Threads:
// one question at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "rag/answering/exchange/asked.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

class Workspace;

struct Letter {
  storage::DocumentId document{};
  std::string sender;  // who signed it; "": not told
};

// Mails, talks, tables, source code and long documents are none. Reads the text of all the others, a few thousand in a
// second; of more documents than 20,000 none are looked at.
Result<std::vector<Letter>> letters_among(Workspace& workspace, const Asked& asked,
                                          std::span<const storage::DocumentRecord> documents);

}  // namespace mneme::rag
