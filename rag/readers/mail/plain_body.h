// The text of a message that is plain: paragraphs, quotations, lines that their author ended.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <string>

#include "rag/readers/document_builder.h"
#include "rag/readers/mail/mime.h"

namespace mneme::readers {

// `text`: of this part, as UTF-8. Files that old programs wrote into it (uuencode), signatures and what is encrypted
// are left out; of the last a note says so.
void add_plain_body(const MimePart& part, std::string text, DocumentBuilder& builder);

}  // namespace mneme::readers
