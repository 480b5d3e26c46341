// Documents in the order of their dates ("the newest letter from the bank", "files changed this week"). Threads: one
// question at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "rag/answering/exchange/asked.h"
#include "rag/text/documents/asked_dated.h"
#include "rag/text/languages/notes.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

class Workspace;

// Which day a document is of, and what says so.
struct DocumentDate {
  enum class From {
    kItself,   // what it tells: a mail, a chat, properties of a file
    kName,     // its file's name: "2026-09-14 minutes.md", "invoice-2026-09.pdf"
    kChanged,  // the last change of its file
    kTakenIn,  // when it was indexed
  };
  From from = From::kChanged;
  std::chrono::sys_days day{};
  std::string text{};  // "2026-09-14", "2026-09"
};
Note date_note(DocumentDate::From from);  // "dated {date}", "named", "changed", "taken in"

struct DatedDocument {
  storage::DocumentRecord document;
  DocumentDate date;
};

// By its own date, else by that in its name, else by the last change of its file; or by the latter or the time of
// indexing, in local time, where the question asks for these.
DocumentDate date_of(const storage::DocumentRecord& document, AskedDated::By by);

// Those of the question's collection, or of all, that it asks for, in the order that it asks for.
Result<std::vector<DatedDocument>> documents_dated(Workspace& workspace, const Asked& asked, const AskedDated& dated);

std::chrono::sys_days local_today();

}  // namespace mneme::rag
