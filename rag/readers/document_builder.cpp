#include "rag/readers/document_builder.h"

#include "base/utf8.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

// Code keeps its white space but nothing that is no text.
std::string clean_code(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == '\n' || text.front() == '\r')) text.remove_prefix(1);
  std::string clean = utf8::sanitise(text);
  std::erase_if(clean, [](char c) { return c >= 0 && c < 0x20 && c != '\n' && c != '\t'; });
  return clean;
}

bool is_wide_space(char32_t c) {
  return c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}

bool is_invisible(char32_t c) {
  return c == 0xad || c == 0x200b || c == 0x2060 || c == 0xfeff || (c >= 0x7f && c < 0xa0);
}

// visit: of each line of a text, cleaned; also of those without any word.
template <typename Visit>
void for_each_line_of(std::string_view text, const Visit& visit) {
  for (;;) {
    const size_t end = text.find(kLineBreak);
    visit(clean_text(text.substr(0, end)));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + kLineBreak.size());
  }
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  bool space = false;
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte <= 0x20) {
      space = space || byte == ' ' || (byte >= '\t' && byte <= '\r');
      ++i;
      continue;
    }
    const size_t begin = i;
    const char32_t c = byte < 0x7f ? (++i, byte) : utf8::next(text, i);
    if (c > 0x7e && is_wide_space(c)) {
      space = true;
      continue;
    }
    if (c > 0x7e && is_invisible(c)) continue;
    if (space && !clean.empty()) clean.push_back(' ');
    space = false;
    if (c == 0xfffd && i - begin == 1) {
      utf8::append(clean, c);
    } else {
      clean.append(text.substr(begin, i - begin));
    }
  }
  return clean;
}

void DocumentBuilder::add(rag::BlockKind kind, std::string_view text, int heading_level) {
  if (kind == rag::BlockKind::kCode) return append_block(kind, clean_code(text), heading_level);
  if (kind == rag::BlockKind::kParagraph || kind == rag::BlockKind::kQuote) return add_lines(kind, text);
  append_block(kind, clean_text(text), heading_level);
}

void DocumentBuilder::add_lines(rag::BlockKind kind, std::string_view text) {
  std::string lines;
  for_each_line_of(text, [&](const std::string& line) {
    if (line.empty()) {
      append_block(kind, lines, 0);
      lines.clear();
      return;
    }
    if (!lines.empty()) lines += '\n';
    lines += line;
  });
  append_block(kind, lines, 0);
}

void DocumentBuilder::list_item(std::string_view text, int depth, std::string_view marker) {
  const std::string indent(static_cast<size_t>(2 * std::min(depth, 8)), ' ');
  const std::string hanging(marker.size() + 1, ' ');
  std::string item;
  for_each_line_of(text, [&](const std::string& line) {
    if (line.empty()) return;
    if (item.empty()) {
      item.append(indent).append(marker).append(" ").append(line);
    } else {
      item.append("\n").append(indent).append(hanging).append(line);
    }
  });
  if (!item.empty()) append_block(rag::BlockKind::kListItem, item, 0);
}

std::string joined_cells(const std::vector<std::string>& cells) {
  std::string row;
  size_t empty = 0;
  for (const std::string& cell : cells) {
    const std::string clean = clean_text(cell);
    if (clean.empty()) {
      ++empty;
      continue;
    }
    // A bar in front opens a row whose first cell is empty, as in Markdown.
    const bool opens = row.empty() && empty > 0;
    if (opens) row = "|";
    if (!row.empty()) row += " | ";
    for (size_t i = opens ? 1 : 0; i < empty; ++i) row += "| ";
    empty = 0;
    row += clean;
  }
  return row;
}

void DocumentBuilder::table_row(const std::vector<std::string>& cells) {
  append_block(rag::BlockKind::kTableRow, joined_cells(cells), 0);
}

void DocumentBuilder::append_block(rag::BlockKind kind, std::string_view clean, int level) {
  if (full_ || clean.find_first_not_of(" \t\n|") == std::string_view::npos) return;
  std::string& text = document_.text;
  if (text.size() + clean.size() + 2 > limit_) {
    full_ = true;
    document_.notes.push_back("the text beyond " + std::to_string(limit_ >> 20) + " MiB was left out");
    return;
  }
  if (!document_.blocks.empty()) {
    const rag::BlockKind before = document_.blocks.back().kind;
    const bool together = kind == before && (kind == rag::BlockKind::kTableRow || kind == rag::BlockKind::kListItem);
    text += together ? "\n" : "\n\n";
  }
  rag::Block block;
  block.kind = kind;
  block.heading_level = level;
  block.byte_begin = text.size();
  text += clean;
  block.byte_end = text.size();
  block.line_begin = line_begin_;
  block.line_end = line_end_;
  block.page = page_;
  document_.blocks.push_back(block);
}

}  // namespace mneme::readers
