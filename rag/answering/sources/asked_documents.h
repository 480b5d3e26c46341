// Which documents a question means that is about one as a whole, or about a page of it. Threads: one question at a
// time.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "rag/answering/exchange/asked.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

class Workspace;

// Those that are found by what the question calls one and bear it as a name (text/documents/called_document.h), best
// first, none twice.
Result<std::vector<storage::DocumentRecord>> documents_called(Workspace& workspace, const Asked& asked,
                                                              const std::string& called);
// Likewise; where none is of the kind that the question names ("the GPL-3 license"), the only one that bears the rest.
Result<std::vector<storage::DocumentRecord>> documents_meant(Workspace& workspace, const Asked& asked,
                                                             const std::string& called);
// A document that was found, and the beginning of its text, which may say what kind of document it is.
struct DocumentBeginning {
  storage::DocumentRecord document;
  std::string beginning;
};
// Of the documents whose passages are found for these words, best first, none twice.
Result<std::vector<DocumentBeginning>> beginnings_found(Workspace& workspace, const Asked& asked,
                                                        const std::string& words);
// Those at these paths that are still there.
Result<std::vector<storage::DocumentRecord>> documents_at(Workspace& workspace, const Asked& asked,
                                                          const std::vector<std::string>& paths);
// Those that the last answer cited.
Result<std::vector<storage::DocumentRecord>> documents_last_cited(Workspace& workspace, const Asked& asked);
// All that the question may be about: of its collection, or of all.
Result<std::vector<storage::DocumentRecord>> documents_of_question(Workspace& workspace, const Asked& asked);
// The only one of these formats among them; none where there are several.
Result<std::vector<storage::DocumentRecord>> only_document_of(Workspace& workspace, const Asked& asked,
                                                              std::span<const std::string_view> formats);

}  // namespace mneme::rag
