// Readers of records that programs export: bank statements and references to literature. Internal to rag/readers.
// Threads: pure functions.
#pragma once

#include <string_view>

#include "base/status.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// Statements of accounts, told as tables (statement_table.h): OFX and QFX, of before 2000 (SGML) and since (XML); QIF
// of Quicken; MT940 of SWIFT; CAMT.052 and .053 of ISO 20022.
bool looks_like_ofx(std::string_view beginning);
Status read_ofx(ReadContext& context, Input input);
bool looks_like_qif(std::string_view beginning);
Status read_qif(ReadContext& context, Input input);
bool looks_like_mt940(std::string_view beginning);
Status read_mt940(ReadContext& context, Input input);
bool looks_like_camt(std::string_view beginning);
Status read_camt(ReadContext& context, Input input);

// References: BibTeX and RIS (of EndNote, Zotero and others), a section for each.
Status read_bibtex(ReadContext& context, Input input);
bool looks_like_ris(std::string_view beginning);
Status read_ris(ReadContext& context, Input input);

}  // namespace mneme::readers
