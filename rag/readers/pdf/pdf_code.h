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
  // document's words. Nothing is code in a document that is set so throughout.
  std::vector<int> listings(const PdfPage& page, float body_height) const;

  // A listing's lines with their indents, one below the other.
  static std::string text_of(std::span<const PdfLine> lines);

 private:
  struct Pitch {
    size_t sure_lines = 0;
    size_t bytes = 0;  // of all lines
  };
  bool is_known(const PdfLine& line) const;
  bool is_known_pitch(int key) const;
  bool is_the_body() const;

  std::map<int, Pitch> pitches_;  // in per cent of the height of their lines
  size_t all_bytes_ = 0;
};

}  // namespace mneme::readers
