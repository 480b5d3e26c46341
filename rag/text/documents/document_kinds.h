// Words for documents and their kinds ("file", "invoice", "Vertrag"), by which people speak of documents whatever those
// are called. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// Of no kind that would have to be said: "document", "file", "Buch". One or several of them.
bool is_any_document(std::string_view folded);
// Of a kind, "invoices" or "agreement", in English, German, French, Spanish, Italian, Portuguese or Russian.
bool is_document_kind(std::string_view folded);
// What says the same kind, the word itself included, folded: "invoice", "bill", "rechnung" of "invoices". Views of
// data that lives as long as the program.
std::vector<std::string_view> kinds_alike(std::string_view folded);
// Whether a document of this format is of the kind by that alone: "eml" of "mails", "xlsx" of "spreadsheet".
bool is_of_format(std::string_view folded, std::string_view format);

}  // namespace mneme::rag
