// Calendars and contacts as documents, for readers of files that hold such entries in other forms: the text goes in as
// iCalendar or vCard, and what comes out knows no lines. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>

#include "base/status.h"
#include "rag/document.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// Errors: kUnsupported where it says nothing; those of ReadContext::check().
Result<rag::Document> calendar_document(ReadContext& context, Input input);
Result<rag::Document> contacts_document(ReadContext& context, Input input);

// Takes the lines off what was read from a text that was made of something else.
void forget_lines(rag::Document& document);

// A value as it stands in such a text.
std::string escape_content(std::string_view value);

}  // namespace mneme::readers
