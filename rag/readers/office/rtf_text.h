// Rich Text as blocks of a document. Shared by the readers of files and of messages. Threads: pure functions.
#pragma once

#include <string_view>

#include "rag/readers/document_builder.h"

namespace mneme::readers {

// Title, author and date go into the document where they are still unknown.
void add_rtf(std::string_view rtf, DocumentBuilder& builder);

}  // namespace mneme::readers
