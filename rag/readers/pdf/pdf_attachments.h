// Files that a PDF carries: attachments, portfolios. They are streams that say what they are, so that the file is
// searched for them as it stands (poppler's pdfdetach writes files, which no program that is run for a document may);
// where a damaged or unusual one is not found, it is not read. Internal to rag/readers.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

struct PdfAttachment {
  std::string name;
  std::string bytes;
};

// Those that may be documents, in the order of the file. Invoices for programs, which say what their page says
// ("factur-x.xml"), are left out, and all of an encrypted PDF. Errors: those of ReadContext::charge_unpacked().
Result<std::vector<PdfAttachment>> attachments_in(ReadContext& context, const std::string& name, std::string_view pdf);

// Reads each as a file of its own. Errors: only those that must stop the whole file.
Status read_pdf_attachments(ReadContext& context, std::vector<PdfAttachment> attachments);

}  // namespace mneme::readers
