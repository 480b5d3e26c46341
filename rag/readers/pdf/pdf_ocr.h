// Recognition of scanned pages: pdftoppm draws them, tesseract reads them, both as limited children.
// Ownership: borrows the context. Threads: one thread each.
#pragma once

#include <string>

#include "base/status.h"
#include "rag/readers/ocr/tesseract.h"
#include "rag/readers/pdf/pdf_page.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

class PageRecogniser {
 public:
  // `file`: a descriptor of the PDF, which stays the caller's.
  PageRecogniser(ReadContext& context, int file);

  // False when OCR is not asked for or a program is missing.
  bool available() const { return !drawer_.empty() && tesseract_.available(); }
  // The lines of a page. Errors: kCancelled, kResource (time), kIo when a program fails; further pages may be tried.
  Result<PdfPage> recognise(int page);

  // What to tell people: pages recognised and failed, or what is missing; "" when there is nothing to tell.
  std::string note() const;

 private:
  Result<PdfPage> draw_and_read(int page);

  ReadContext& context_;
  int file_;
  std::string drawer_;
  Tesseract tesseract_;
  int recognised_ = 0;
  int failed_ = 0;
};

}  // namespace mneme::readers
