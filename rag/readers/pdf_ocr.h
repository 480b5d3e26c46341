// Recognition of scanned pages: pdftoppm draws them, tesseract reads them, both as limited children.
// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

// Adds the text of these pages of the PDF behind `file` (a descriptor). Does nothing unless ReadLimits::ocr is on; a
// missing program becomes a note. Errors: kCancelled, kResource (time); a page that cannot be read becomes a note.
Status recognise_pages(ReadContext& context, const std::string& name, int file, const std::vector<int>& pages,
                       DocumentBuilder& builder);

}  // namespace mneme::readers
