// What a reader reads of a sentence or of code: without the marks of Markdown, reStructuredText, HTML and comments.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "rag/document.h"

namespace mneme::rag {

// A sentence as one line of running text: marks of lists, headings, emphasis and comments taken off, links and roles by
// their words, spaces joined.
std::string plain_sentence(std::string_view sentence, TextForm form = TextForm::kProse);

// Text of any length with the roles of reStructuredText (":pep:`8`", ":func:`open`") as a reader reads them.
std::string with_plain_roles(std::string_view text);

// Code as it stands: a line alone, several between fences ("```").
std::string plain_code(std::string_view code);

}  // namespace mneme::rag
