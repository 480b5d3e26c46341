#include "rag/readers/pdf_page.h"

#include <algorithm>
#include <pugixml.hpp>

#include "rag/readers/document_builder.h"

namespace mneme::readers {
namespace {

constexpr float kWideGap = 1.1F;  // in heights of a line: no space between words is that wide

float number(const pugi::xml_node& node, const char* name) {
  const float value = node.attribute(name).as_float();
  return value > -1e6F && value < 1e6F ? value : 0;  // also not for NaN
}

PdfLine take_line(const pugi::xml_node& node, int block) {
  PdfLine line;
  line.block = block;
  line.x_min = number(node, "xMin");
  line.y_min = number(node, "yMin");
  line.x_max = number(node, "xMax");
  line.y_max = number(node, "yMax");
  std::vector<float> heights;
  for (const pugi::xml_node word : node.children("word")) {
    std::string text = clean_text(word.child_value());
    if (text.empty()) continue;
    const float x_min = number(word, "xMin");
    const float x_max = number(word, "xMax");
    heights.push_back(number(word, "yMax") - number(word, "yMin"));
    if (line.segments.empty() || x_min - line.segments.back().x_max > kWideGap * line.height()) {
      line.segments.push_back({x_min, x_max, std::move(text)});
      continue;
    }
    PdfSegment& last = line.segments.back();
    // Superscripts and changes of font split words without a gap.
    if (x_min - last.x_max > 0.08F * line.height()) last.text += ' ';
    last.text += text;
    last.x_max = std::max(last.x_max, x_max);
  }
  if (!heights.empty()) {
    std::nth_element(heights.begin(), heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2), heights.end());
    line.word_height = heights[heights.size() / 2];
  }
  return line;
}

}  // namespace

std::string PdfLine::text() const {
  std::string joined;
  for (const PdfSegment& segment : segments) {
    if (!joined.empty()) joined += ' ';
    joined += segment.text;
  }
  return joined;
}

PdfPage parse_pdf_page(std::string_view xml, int number_of_page) {
  PdfPage page;
  page.number = number_of_page;
  pugi::xml_document tree;
  tree.load_buffer(xml.data(), xml.size(), pugi::parse_minimal | pugi::parse_escapes, pugi::encoding_utf8);
  const pugi::xml_node root = tree.child("page");
  page.width = number(root, "width");
  page.height = number(root, "height");
  int block_index = 0;
  for (const pugi::xml_node flow : root.children("flow")) {
    for (const pugi::xml_node block : flow.children("block")) {
      for (const pugi::xml_node node : block.children("line")) {
        PdfLine line = take_line(node, block_index);
        if (!line.segments.empty()) page.lines.push_back(std::move(line));
      }
      ++block_index;
    }
  }
  return page;
}

}  // namespace mneme::readers
