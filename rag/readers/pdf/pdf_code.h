// Lines in type of fixed pitch, as programs and their output are set: all of their characters are equally wide, which
// pdftotext's places of words tell, though not its names of fonts. Their lines and spaces are kept.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "rag/readers/pdf/pdf_page.h"

namespace mneme::readers {

// Fills in `pitch`, what goes with it and `spaced` of a line made of these words, from left to right.
void measure_pitch(const std::vector<PdfWord>& words, PdfLine& line);

class CodeLines {
 public:
  // A batch of pages behind those learnt from before.
  void learn(std::span<const PdfPage> batch);

  // Which lines of a page are code, by index: 0 none, otherwise the number of the listing. body_height: of the
  // document's words. Nothing is code in a document that is mostly set so.
  std::vector<int> listings(const PdfPage& page, float body_height) const;

  // A listing's lines with their indents, one below the other.
  static std::string text_of(std::span<const PdfLine> lines);

 private:
  bool is_known(const PdfLine& line) const;

  std::map<int, size_t> pitches_;  // sure lines by pitch in per cent of their height
  size_t fixed_bytes_ = 0;
  size_t all_bytes_ = 0;
};

}  // namespace mneme::readers
