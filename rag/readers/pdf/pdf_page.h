// One page of `pdftotext -bbox-layout`: lines with their places. Internal to rag/readers. Threads: values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers {

// A word as pdftotext gives it. line: the number of its line on the page.
struct PdfWord {
  float x_min = 0;
  float y_min = 0;
  float x_max = 0;
  float y_max = 0;
  int line = 0;
  std::string text;
};

// A run of words without a wide gap; a line has several where it crosses columns of a table.
struct PdfSegment {
  float x_min = 0;
  float x_max = 0;
  std::string text;
};

struct PdfLine {
  float x_min = 0;
  float y_min = 0;
  float x_max = 0;
  float y_max = 0;
  int block = 0;            // lines of one block follow each other; what poppler takes for a paragraph or a cell
  float word_height = 0;    // of most of its words: superscripts and drop caps do not count
  bool from_right = false;  // read from right to left
  std::vector<PdfSegment> segments;  // from left to right, each in the order it is read in
  int region = 0;                    // lines of one column have the same (pdf_regions.h)
  float pitch = 0;          // width of each character where all seem to have the same (pdf_code.h); 0: they do not
  float pitch_x = 0;        // where a character of that width begins
  bool sure_pitch = false;  // that cannot be by chance
  std::string spaced = {};  // of a line with a pitch: its text with spaces for its gaps

  std::string text() const;
  float height() const { return y_max - y_min; }
  float middle() const { return (y_min + y_max) / 2; }
  // Appends a word to the right: to the last segment, or as a new one behind a wide gap. Needs the line's height.
  void add_word(float word_x_min, float word_x_max, std::string word);
};

struct PdfPage {
  float width = 0;
  float height = 0;
  int number = 0;
  std::vector<PdfLine> lines;  // in reading order
};

// A page as tesseract tells it in its TSV format, in points of 1/72 inch at `dpi`; words it doubts are left out.
PdfPage parse_ocr_page(std::string_view tsv, int number, float dpi);

// Parses "<page ...> ... </page>"; what is malformed is left out.
PdfPage parse_pdf_page(std::string_view xml, int number);

}  // namespace mneme::readers
