// What pdftotext says about a page, and the layout made of it.
#include <cstdint>

#include "rag/readers/pdf/pdf_layout.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view xml(reinterpret_cast<const char*>(data), size);
  mneme::rag::Document document;
  mneme::readers::DocumentBuilder builder(document, 1 << 20);
  mneme::readers::PdfAssembler pages(builder);
  for (int page = 1; page <= 3; ++page) pages.add_page(mneme::readers::parse_pdf_page(xml, page));
  pages.finish();
  return 0;
}
