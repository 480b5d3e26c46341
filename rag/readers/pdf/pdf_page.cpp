#include "rag/readers/pdf/pdf_page.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <pugixml.hpp>

#include "rag/readers/document_builder.h"
#include "rag/readers/office_common.h"
#include "rag/readers/pdf/pdf_code.h"
#include "rag/readers/pdf/pdf_columns.h"
#include "rag/readers/pdf/pdf_regions.h"
#include "rag/readers/pdf/visual_order.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr float kWideGap = 1.1F;  // in heights of a line: no space between words is that wide

float number(const pugi::xml_node& node, const char* name) {
  const std::string_view digits = node.attribute(name).value();
  double value = 0;  // as_float() takes several times as long, four times a word
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value > -1e6 && value < 1e6 ? static_cast<float>(value) : 0;  // also not for NaN
}

// The last word of a line, with an ordinary hyphen in place of those that only parted words have.
std::string with_plain_hyphen(std::string_view word) {
  for (const std::string_view hyphen : {"\xc2\xad", "\xe2\x80\x90"}) {  // soft hyphen, U+2010
    if (word.ends_with(hyphen) && word.size() > hyphen.size()) {
      return std::string(word.substr(0, word.size() - hyphen.size())) + "-";
    }
  }
  return std::string(word);
}

std::vector<PdfWord> words_of(const pugi::xml_node& line, int number_of_line = 0) {
  std::vector<PdfWord> words;
  for (const pugi::xml_node word : line.children("word")) {
    const bool last = !word.next_sibling("word");
    std::string text = clean_text(last ? with_plain_hyphen(word.child_value()) : word.child_value());
    if (text.empty()) continue;
    words.push_back({number(word, "xMin"), number(word, "yMin"), number(word, "xMax"), number(word, "yMax"),
                     number_of_line, std::move(text)});
  }
  return words;
}

// Written up or down the page: the words stand above each other, within the width of one.
bool is_sideways(const std::vector<PdfWord>& words) {
  if (words.size() < 2) return false;
  const PdfWord& first = words.front();
  const PdfWord& last = words.back();
  const bool apart = last.y_min > first.y_max || last.y_max < first.y_min;
  const bool above = last.x_min < first.x_max && last.x_max > first.x_min;
  return apart && above;
}

// One segment, as wide as the line: there is no telling its columns.
std::string sideways_text(const std::vector<PdfWord>& words) {
  std::string text;
  const PdfWord* before = nullptr;
  for (const PdfWord& word : words) {
    if (before != nullptr) {
      const float gap = std::max(word.y_min - before->y_max, before->y_min - word.y_max);
      if (gap > 0.08F * (word.x_max - word.x_min)) text += ' ';
    }
    text += word.text;
    before = &word;
  }
  return text;
}

float median_height(const std::vector<PdfWord>& words, bool sideways) {
  std::vector<float> heights;
  heights.reserve(words.size());
  for (const PdfWord& word : words) heights.push_back(sideways ? word.x_max - word.x_min : word.y_max - word.y_min);
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::nth_element(heights.begin(), middle, heights.end());
  return *middle;
}

// words is not empty.
PdfLine take_line(const RawLine& raw) {
  PdfLine line;
  line.block = raw.block;
  line.region = raw.region;
  line.x_min = raw.x_min;
  line.y_min = raw.y_min;
  line.x_max = raw.x_max;
  line.y_max = raw.y_max;
  const bool sideways = is_sideways(raw.words);
  line.word_height = median_height(raw.words, sideways);
  if (sideways) {
    line.segments.push_back({line.x_min, line.x_max, sideways_text(raw.words)});
    return line;
  }
  for (const PdfWord& word : raw.words) line.add_word(word.x_min, word.x_max, word.text);
  line.from_right = reads_from_right(line.text());
  for (PdfSegment& segment : line.segments) segment.text = reading_order(segment.text);
  measure_pitch(raw.words, line);
  return line;
}

// visit: of each line and the number of its block.
template <typename Visit>
void for_each_line(const pugi::xml_node& page, const Visit& visit) {
  int block_index = 0;
  for (const pugi::xml_node flow : page.children("flow")) {
    for (const pugi::xml_node block : flow.children("block")) {
      for (const pugi::xml_node line : block.children("line")) visit(line, block_index);
      ++block_index;
    }
  }
}

std::vector<PdfWord> all_words(const pugi::xml_node& page) {
  std::vector<PdfWord> words;
  int line = 0;
  for_each_line(page, [&](const pugi::xml_node& node, int) {
    std::vector<PdfWord> of_line = words_of(node, line++);
    std::move(of_line.begin(), of_line.end(), std::back_inserter(words));
  });
  return words;
}

// Whether the page has characters of China or Japan at all: most pages need not be looked at twice.
bool may_have_columns(std::string_view xml) {
  return std::any_of(xml.begin(), xml.end(), [](char c) {
    const auto lead = static_cast<unsigned char>(c);
    return lead >= 0xe3 && lead <= 0xe9;
  });
}

}  // namespace

void PdfLine::add_word(float word_x_min, float word_x_max, std::string word) {
  if (segments.empty() || word_x_min - segments.back().x_max > kWideGap * height()) {
    segments.push_back({word_x_min, word_x_max, std::move(word)});
    return;
  }
  PdfSegment& last = segments.back();
  // Superscripts and changes of font split words without a gap.
  if (word_x_min - last.x_max > 0.08F * height()) last.text += ' ';
  last.text += word;
  last.x_max = std::max(last.x_max, word_x_max);
}

std::string PdfLine::text() const {
  std::string joined;
  for (size_t i = 0; i < segments.size(); ++i) {
    if (!joined.empty()) joined += ' ';
    joined += segments[from_right ? segments.size() - 1 - i : i].text;
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
  if (may_have_columns(xml) && lay_down_columns(all_words(root), page)) return page;
  std::vector<RawLine> lines;
  for_each_line(root, [&](const pugi::xml_node& node, int block) {
    RawLine line;
    line.words = words_of(node);
    line.block = block;
    if (!line.words.empty()) lines.push_back(std::move(line));
  });
  for (const RawLine& line : part_columns(std::move(lines))) page.lines.push_back(take_line(line));
  return page;
}

PdfPage parse_ocr_page(std::string_view tsv, int number_of_page, float dpi) {
  // Columns: level page block paragraph line word left top width height confidence text.
  constexpr size_t kColumns = 12;
  constexpr int kDoubted = 25;  // per cent of confidence
  PdfPage page;
  page.number = number_of_page;
  const float scale = 72 / dpi;
  LineCursor rows(tsv);
  Line row;
  while (rows.next(row)) {
    std::array<std::string_view, kColumns> cells;
    std::string_view rest = row.text;
    for (std::string_view& cell : cells) {
      const size_t tab = rest.find('\t');
      cell = rest.substr(0, tab);
      rest = tab == std::string_view::npos ? std::string_view() : rest.substr(tab + 1);
    }
    const auto value = [&](size_t column) { return static_cast<float>(to_int(cells[column], 0)) * scale; };
    const int level = to_int(cells[0], 0);
    if (level == 1) {
      page.width = value(8);
      page.height = value(9);
    } else if (level == 4) {
      PdfLine line;
      line.block = to_int(cells[2], 0) * 1000 + to_int(cells[3], 0);
      line.x_min = value(6);
      line.y_min = value(7);
      line.x_max = line.x_min + value(8);
      line.y_max = line.y_min + value(9);
      page.lines.push_back(std::move(line));
    } else if (level == 5 && !page.lines.empty() && to_int(cells[10], 0) >= kDoubted) {
      std::string text = clean_text(cells[11]);
      if (text.empty()) continue;
      PdfLine& line = page.lines.back();
      line.word_height = std::max(line.word_height, value(9));
      line.add_word(value(6), value(6) + value(8), std::move(text));
    }
  }
  std::erase_if(page.lines, [](const PdfLine& line) { return line.segments.empty(); });
  return page;
}

}  // namespace mneme::readers
