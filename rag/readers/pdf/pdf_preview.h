// One page of a PDF to look at: its picture by pdftoppm and where its words stand by pdftotext, both run as sandboxed
// children like the reader's. Threads: any number of calls at the same time; each takes some tens of milliseconds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"

namespace mneme::readers {

// A word's box as shares of the page's width and height, from the top left.
struct PageWord {
  float x_min = 0;
  float y_min = 0;
  float x_max = 0;
  float y_max = 0;
  std::string text;
};

struct PdfPreview {
  int page = 0;   // 1-based
  int pages = 0;  // of the document; 0: unknown
  int width = 0;  // pixels
  int height = 0;
  std::vector<uint8_t> rgb;  // width * height * 3, rows from the top
  std::vector<PageWord> words;
};

// `page` is clipped to what the document has. kUnsupported without poppler-utils, kNotFound and kIo for the file,
// kCorruption for a page that cannot be drawn, kResource when it takes too long or too much memory.
Result<PdfPreview> preview_pdf_page(const std::string& path, int page, int dpi,
                                    const CancelToken& cancel = never_cancelled());

// A binary PPM (P6, 8 bits) as pdftoppm writes it. kCorruption for anything else.
Status parse_ppm(std::string_view bytes, PdfPreview& out);

// The words of `pdftotext -bbox` of one page; what is malformed is left out.
std::vector<PageWord> parse_page_words(std::string_view xml);

// Which words of the page belong to the passage: runs of at least three words that stand in both in the same order,
// with small gaps (hyphens, footnotes) closed. One flag per word.
std::vector<bool> words_of_passage(const std::vector<PageWord>& words, std::string_view passage);

// Of those flags on another page than the one the passage begins on, where it goes on: a few words in a row may stand
// anywhere.
std::vector<bool> what_goes_on(std::vector<bool> inside);

}  // namespace mneme::readers
