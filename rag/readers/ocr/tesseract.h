// Tesseract as a limited child: pictures in, words with their places out. Internal to rag/readers. Ownership: borrows
// the context. Threads: one thread each.
#pragma once

#include <string>

#include "base/status.h"
#include "rag/readers/read_context.h"

namespace mneme::readers {

class Tesseract {
 public:
  explicit Tesseract(ReadContext& context);

  // False when OCR is not asked for or the program is missing.
  bool available() const { return !program_.empty(); }
  // Its table of words (TSV) of a picture. dpi: "" where the picture may say so itself. finds_direction: the picture
  // may stand on its head or side. Errors: those of output_of().
  Result<std::string> words_of(int picture, const std::string& dpi, bool finds_direction = false);

 private:
  ReadContext& context_;
  std::string program_;
  std::string languages_;
};

}  // namespace mneme::readers
