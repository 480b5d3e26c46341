// Words for documents and their kinds ("file", "invoice", "Vertrag"), by which people speak of documents whatever those
// are called. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rag/text/languages/document_words.h"
#include "rag/text/languages/language.h"

namespace mneme::rag {

// With a language only its own words count, and what is called so everywhere ("pdf", "email"); without one those of all
// languages, but for words that mean something else in others (a letter is "list" in Polish).

// Of no kind that would have to be said: "document", "file", "Buch". One or several of them.
bool is_any_document(std::string_view folded, Language language = Language::kUnknown);
// Of any kind at all: "document", "Datei", but no letter.
bool is_mere_document(std::string_view folded, Language language = Language::kUnknown);
// Of a kind: "invoices", "agreement".
bool is_document_kind(std::string_view folded, Language language = Language::kUnknown);
// Such that people look for one by its name: "the invoice of ACME", not "the plan".
bool is_found_by_name(std::string_view folded, Language language = Language::kUnknown);
// Whether a word for documents says one of them, or several; "minutes" and "avtal" may say either.
bool may_be_one(std::string_view folded, Language language = Language::kUnknown);
bool may_be_several(std::string_view folded, Language language = Language::kUnknown);

// All that a language's table has, apart by spaces, a kind at a time.
std::vector<std::string_view> document_kind_names(const DocumentKinds& kinds);
// What says the same kind, the word itself included, folded: "invoice", "bill", "rechnung" of "invoices". Views of
// data that lives as long as the program.
std::vector<std::string_view> kinds_alike(std::string_view folded);
// Whether a document of this format is of the kind by that alone: "eml" of "mails", "xlsx" of "spreadsheet".
bool is_of_format(std::string_view folded, std::string_view format);
// "Letter", "Briefe": of the kind that is known by its shape (letter_shape.h), whatever it is called.
bool is_letter_word(std::string_view folded, Language language = Language::kUnknown);
// Whether nearly all of the kind are told by their format: "mails", "spreadsheet", but not "statements", which may be
// PDFs.
bool is_told_by_format(std::string_view folded);

}  // namespace mneme::rag
