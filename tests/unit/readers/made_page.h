// Pages as `pdftotext -bbox-layout` gives them, made of lines at chosen places; and what the reader of PDF makes of
// them.
#pragma once

#include <string>
#include <vector>

#include "rag/readers/pdf/pdf_layout.h"

namespace mneme::readers::test {

// Words are parted where the text has a space; each character is as wide as `pitch` says or, at 0, as in Times.
struct MadeLine {
  double x = 72;
  double y = 100;
  std::string text;
  double size = 10;
  double pitch = 0;
};

class MadePage {
 public:
  // One block of poppler's: lines that it takes for a paragraph, a cell or a title.
  MadePage& block(const std::vector<MadeLine>& lines) {
    xml_ += "<flow><block>";
    for (const MadeLine& line : lines) xml_ += xml_of(line);
    xml_ += "</block></flow>";
    return *this;
  }
  // Each line a block of its own.
  MadePage& blocks(const std::vector<MadeLine>& lines) {
    for (const MadeLine& line : lines) block({line});
    return *this;
  }
  PdfPage page(int number = 1) const {
    return parse_pdf_page("<page width=\"612\" height=\"792\">" + xml_ + "</page>", number);
  }
  rag::Document document() const {
    rag::Document document;
    DocumentBuilder builder(document, 1 << 20);
    PdfAssembler pages(builder);
    pages.add_page(page());
    pages.finish();
    return document;
  }

 private:
  static double width_of(char c, const MadeLine& line) {
    if (line.pitch > 0) return line.pitch;
    const std::string narrow = "ijl.,:;'|()[]ftI";
    const std::string wide = "mwMW";
    const double share = narrow.find(c) != std::string::npos ? 0.29 : wide.find(c) != std::string::npos ? 0.8 : 0.5;
    return share * line.size;
  }

  static std::string place(double x_min, double x_max, const MadeLine& line) {
    return " xMin=\"" + std::to_string(x_min) + "\" yMin=\"" + std::to_string(line.y) + "\" xMax=\"" +
           std::to_string(x_max) + "\" yMax=\"" + std::to_string(line.y + line.size) + "\">";
  }

  static std::string xml_of(const MadeLine& line) {
    std::string words;
    std::string word;
    double x = line.x;
    double begin = x;
    for (const char c : line.text + " ") {
      if (c == ' ') {
        if (!word.empty()) words += "<word" + place(begin, x, line) + word + "</word>";
        word.clear();
        x += line.pitch > 0 ? line.pitch : 0.25 * line.size;
        begin = x;
        continue;
      }
      word += c == '<' ? "&lt;" : std::string(1, c);
      x += width_of(c, line);
    }
    return "<line" + place(line.x, x, line) + words + "</line>";
  }

  std::string xml_;
};

}  // namespace mneme::readers::test
