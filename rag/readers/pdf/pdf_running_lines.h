// Headers, footers and page numbers of a PDF: lines near the edges of pages that stand there, and say the same, on
// several. What they say is kept, to be told once.
// A line of text or of a table is none of them, however alike its neighbours on other pages are: it must be parted from
// the text by a gap, or stand outermost by itself, and either say the very same or differ in one number alone that
// counts with the pages, in the same place.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/pdf/pdf_page.h"
#include "rag/readers/running_texts.h"

namespace mneme::readers {

enum class LineRole : uint8_t { kText, kRunning, kPageNumber };

class RunningLines {
 public:
  // A batch of pages in order, behind those learnt from before. n_pages: met so far, these included.
  void learn(std::span<const PdfPage> batch, int n_pages);

  // What each line of a page is, by index. body_height: of the document's words; larger ones are titles, even where
  // they repeat, as on slides.
  std::vector<LineRole> roles(const PdfPage& page, float body_height) const;

  // Keeps what a running line says that is left out of the text. False when it cannot be kept.
  bool keep(const PdfPage& page, const PdfLine& line);

  const RunningTexts& texts() const { return texts_; }

 private:
  // Where lines of one wording were met.
  struct Place {
    float from_edge = 0;  // of the line's middle; negative from the lower edge
    float x_min = 0;
    float x_max = 0;
    int n_pages = 0;
    int last_page = 0;
    bool runs = false;  // on pages enough
    bool is_of(const PdfPage& page, const PdfLine& line, float tolerance) const;
  };
  // A line's text in lower case, one number that may count with the pages given by its distance to the page's.
  struct Wording {
    std::string key;
    size_t counted_begin = 0;  // bytes of that number in the text; none: the text as it is
    size_t counted_end = 0;
    bool is_verbatim() const { return counted_begin == counted_end; }
  };
  static std::vector<Wording> wordings_of(std::string_view text, int page);
  void learn_line(const PdfPage& page, const PdfLine& line);
  void learn_number(int page, std::string_view text);
  bool is_page_number(int page, std::string_view text) const;
  bool runs(const PdfPage& page, const PdfLine& line, const Wording& wording) const;
  void forget_what_does_not_run();

  std::map<std::string, std::vector<Place>, std::less<>> places_;  // by wording
  // Bare numbers near the edges less the page's number, and less twice that (two pages were put on one): on how many
  // pages.
  std::map<int, int> counts_;
  std::map<int, int> double_counts_;
  int n_pages_ = 0;
  RunningTexts texts_;
};

}  // namespace mneme::readers
