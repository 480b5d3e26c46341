// Which document a question means that points at one of those listed before: "Who wrote the first one?" behind "Which
// files mention the crane?". Threads: one question at a time.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "rag/answering/exchange/asked.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

class Workspace;

struct ListedDocument {
  storage::DocumentRecord document;
  std::string question{};  // with what the document is called in place of what points at it
  bool as_whole = false;   // nothing is asked of it but to see it
};

// Nothing where the question points at none, or no list stands within the last turns.
Result<std::optional<ListedDocument>> listed_document(Workspace& workspace, const Asked& asked);

}  // namespace mneme::rag
