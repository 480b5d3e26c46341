#include "rag/readers/pdf/pdf_layout.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>

#include "base/utf8.h"
#include "rag/readers/pdf/pdf_columns.h"
#include "rag/readers/pdf/pdf_markers.h"
#include "rag/readers/pdf/pdf_set_lines.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kBatchPages = 48;
constexpr size_t kMostKnown = 4096;  // hyphenated words

char32_t first_character(std::string_view text) {
  size_t offset = 0;
  return text.empty() ? 0 : utf8::next(text, offset);
}

bool is_lower_letter(std::string_view text) {
  return u_islower(static_cast<UChar32>(first_character(text)));
}

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return text.ends_with(ending); });
}

bool ends_sentence(std::string_view text) {
  while (!text.empty() && (text.back() == '"' || text.back() == ')' || text.back() == '\'')) text.remove_suffix(1);
  while (ends_with_any(text, {"」", "』", "）"})) text.remove_suffix(3);
  if (text.empty()) return true;
  const char c = text.back();
  return c == '.' || c == '!' || c == '?' || c == ':' || c == ';' || ends_with_any(text, {"。", "！", "？"});
}

bool is_wide_script(std::string_view text) {
  return !text.empty() && static_cast<unsigned char>(text[0]) >= 0xe3 && static_cast<unsigned char>(text[0]) < 0xf0;
}

// Readings in small kana above the characters that they are of: they would part the lines of a paragraph.
bool is_furigana(const PdfLine& line, const std::vector<PdfLine>& lines, float body_height) {
  constexpr float kSmall = 0.66F;
  if (line.word_height > kSmall * body_height) return false;
  std::string text = line.text();
  std::erase(text, ' ');
  return is_kana(text) && std::any_of(lines.begin(), lines.end(), [&](const PdfLine& base) {
           const float gap = base.y_min - line.y_max;
           return line.word_height <= kSmall * base.word_height && base.x_min < line.x_max && base.x_max > line.x_min &&
                  gap > -0.5F * body_height && gap < 0.5F * body_height;
         });
}

void drop_furigana(PdfPage& page, float body_height) {
  constexpr size_t kMostLines = 5000;
  if (page.lines.size() > kMostLines) return;
  std::vector<bool> small(page.lines.size());
  for (size_t i = 0; i < small.size(); ++i) small[i] = is_furigana(page.lines[i], page.lines, body_height);
  size_t i = 0;
  std::erase_if(page.lines, [&](const PdfLine&) { return small[i++]; });
}

// From line to line of a paragraph: that which a quarter of all do not exceed.
float usual_step(std::span<const PdfLine> lines) {
  std::vector<float> steps;
  for (size_t i = 1; i < lines.size(); ++i) steps.push_back(lines[i].middle() - lines[i - 1].middle());
  if (steps.empty()) return 0;
  const auto quarter = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 4);
  std::nth_element(steps.begin(), quarter, steps.end());
  return *quarter;
}

std::string_view last_word(std::string_view text) {
  const size_t space = text.rfind(' ');
  return space == std::string_view::npos ? text : text.substr(space + 1);
}

// What each line of a page is part of.
struct LineUses {
  std::vector<int> listings;  // 0: none
  std::vector<PdfTable> tables;
  std::vector<const PdfTable*> table_of;  // null: none
  std::vector<bool> taken;                // by a listing or a table
  std::vector<bool> joined;               // a number or bullet that was put before another line
};

LineUses uses_of(PdfPage& page, std::vector<int> listings) {
  LineUses uses;
  uses.taken.resize(page.lines.size());
  std::transform(listings.begin(), listings.end(), uses.taken.begin(), [](int listing) { return listing != 0; });
  uses.listings = std::move(listings);
  uses.tables = find_tables(page, uses.taken);
  uses.table_of.resize(page.lines.size(), nullptr);
  for (const PdfTable& table : uses.tables) {
    for (const size_t line : table.lines) {
      uses.table_of[line] = &table;
      uses.taken[line] = true;
    }
  }
  uses.joined = join_lone_markers(page, uses.taken);
  return uses;
}

// Whether line i is of the block of text that begins with line `begin`.
bool goes_on_in_block(const PdfPage& page, const LineUses& uses, size_t begin, size_t i) {
  return page.lines[i].block == page.lines[begin].block && !uses.taken[i] && !uses.joined[i] &&
         !is_drawn_rule(page.lines[i].text());
}

}  // namespace

void PdfAssembler::add_page(PdfPage page) {
  ++pages_;
  if (page.lines.empty()) {
    empty_pages_.push_back(page.number);
    return;
  }
  batch_.push_back(std::move(page));
  if (batch_.size() >= kBatchPages) assemble_batch();
}

void PdfAssembler::finish() {
  assemble_batch();
  flush();
}

void PdfAssembler::assemble_batch() {
  if (batch_.empty()) return;
  running_.learn(batch_, pages_);
  code_.learn(batch_);
  learn_words();
  for (PdfPage& page : batch_) assemble_page(page);
  batch_.clear();
}

void PdfAssembler::learn_words() {
  std::map<int, size_t> heights;  // characters by tenths of a point
  for (const PdfPage& page : batch_) {
    for (const PdfLine& line : page.lines) {
      const std::string text = line.text();
      heights[static_cast<int>(std::lround(line.word_height * 10))] += text.size();
      for (size_t at = text.find('-', 1); at != std::string::npos; at = text.find('-', at + 1)) {
        const size_t begin = text.rfind(' ', at) + 1;  // npos + 1 is 0
        const size_t end = std::min(text.find_first_of(" ,.;:)", at), text.size());
        if (at > begin && end > at + 1 && hyphenated_.size() < kMostKnown) {
          hyphenated_.insert(lower_ascii(std::string_view(text).substr(begin, end - begin)));
        }
      }
    }
  }
  size_t most = 0;
  for (const auto& [height, characters] : heights) {
    if (characters <= most) continue;
    most = characters;
    body_height_ = static_cast<float>(height) / 10;
  }
}

void PdfAssembler::drop_running_lines(PdfPage& page) {
  const std::vector<LineRole> roles = running_.roles(page, body_height_);
  // A page of nothing but such lines keeps its words: they may be all that it says.
  const bool has_text = std::find(roles.begin(), roles.end(), LineRole::kText) != roles.end();
  size_t i = 0;
  std::erase_if(page.lines, [&](const PdfLine& line) {
    const LineRole role = roles[i++];
    return role == LineRole::kPageNumber || (role == LineRole::kRunning && has_text && running_.keep(page, line));
  });
}

void PdfAssembler::assemble_page(PdfPage& page) {
  drop_running_lines(page);
  drop_furigana(page, body_height_);
  drop_line_numbers(page, body_height_);
  const LineUses uses = uses_of(page, code_.listings(page, body_height_));
  std::set<const PdfTable*> written;
  for (size_t begin = 0; begin < page.lines.size();) {
    size_t end = begin + 1;
    if (uses.listings[begin] != 0) {
      while (end < page.lines.size() && uses.listings[end] == uses.listings[begin]) ++end;
      write_code(page.number, std::span(page.lines).subspan(begin, end - begin));
    } else if (uses.table_of[begin] != nullptr) {
      if (written.insert(uses.table_of[begin]).second) write_table(page.number, *uses.table_of[begin]);
    } else if (is_drawn_rule(page.lines[begin].text())) {
      flush();
    } else if (!uses.joined[begin]) {
      while (end < page.lines.size() && goes_on_in_block(page, uses, begin, end)) ++end;
      assemble_block(page, begin, end);
    }
    begin = end;
  }
}

void PdfAssembler::write_code(int page, std::span<const PdfLine> lines) {
  flush();
  builder_.set_page(page);
  builder_.code(CodeLines::text_of(lines));
}

void PdfAssembler::write_table(int page, const PdfTable& table) {
  flush();
  builder_.set_page(page);
  for (const auto& row : table.rows) builder_.table_row(row);
}

int PdfAssembler::heading_level(const PdfPage& page, size_t begin, size_t end, const std::string& text) const {
  if (end - begin > 3 || text.size() > 150 || text.size() < 3) return 0;
  float height = 0;
  for (size_t i = begin; i < end; ++i) height = std::max(height, page.lines[i].word_height);
  const auto letters =
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0 || std::isalpha(c); });
  if (letters < 3 || body_height_ <= 0) return 0;
  const float ratio = height / body_height_;
  const int depth = section_number_depth(text);
  if (depth > 0 && end - begin <= 2 && ratio > 0.95F && text.size() <= 100 && text.back() != '.') return depth + 1;
  if (ratio >= 1.5F) return 1;
  if (ratio >= 1.25F) return 2;
  return ratio >= 1.12F && !ends_sentence(text) ? 3 : 0;
}

PdfAssembler::BlockShape PdfAssembler::shape_of(std::span<const PdfLine> lines) {
  BlockShape shape;
  shape.n_lines = lines.size();
  for (const PdfLine& line : lines) {
    shape.left = std::min(shape.left, line.x_min);
    shape.right = std::max(shape.right, line.x_max);
  }
  const auto is_indented = [&](const PdfLine& line) { return line.x_min - shape.left > 0.6F * line.height(); };
  const auto indented = static_cast<size_t>(std::count_if(lines.begin() + 1, lines.end(), is_indented));
  shape.step = usual_step(lines);
  const PdfLine& first = lines.front();
  shape.hanging = 2 * indented >= lines.size() && first.x_min - shape.left < 0.3F * first.height();
  return shape;
}

// Enough of a block to tell whether it is a heading.
std::string PdfAssembler::beginning_of(std::span<const PdfLine> lines) {
  constexpr size_t kEnough = 200;
  std::string text;
  for (const PdfLine& line : lines) {
    if (text.size() < kEnough) text.append(text.empty() ? "" : " ").append(line.text());
  }
  return text;
}

void PdfAssembler::assemble_block(const PdfPage& page, size_t begin, size_t end) {
  const std::span<const PdfLine> lines = std::span(page.lines).subspan(begin, end - begin);
  const std::string beginning = beginning_of(lines);
  if (const int level = heading_level(page, begin, end, beginning)) {
    flush();
    builder_.set_page(page.number);
    builder_.heading(level, beginning);
    return;
  }
  const bool has_items =
      std::any_of(lines.begin(), lines.end(), [](const PdfLine& line) { return item_marker(line.text()) > 0; });
  if (!has_items && are_set_lines(lines)) return assemble_set_lines(page.number, lines);
  const BlockShape shape = shape_of(lines);
  for (size_t i = 0; i < lines.size(); ++i) {
    const PdfLine& line = lines[i];
    const std::string text = line.text();
    const size_t marker = item_marker(text);
    const bool parted = i > 0 && ends_sentence(open_.text) &&
                        line.middle() - lines[i - 1].middle() > shape.step + 0.35F * line.height();
    if (!has_open_ || marker > 0 || parted || (i == 0 ? !goes_on_in(text) : starts_paragraph(line, shape))) {
      const auto kind = marker > 0 ? rag::BlockKind::kListItem : rag::BlockKind::kParagraph;
      begin_paragraph({kind, 0, page.number, text.substr(marker), false, false});
    } else {
      append_line(text);
    }
    const float short_by = shape.right - line.x_max;
    open_.ends_full = lines.size() > 1 && short_by < 1.5F * line.height();
    open_.ends_short = !shape.hanging && short_by > 0.15F * (shape.right - shape.left) && lines.size() > 1;
  }
}

// A paragraph goes on over columns and pages when it stopped in the middle of a sentence.
bool PdfAssembler::goes_on_in(const std::string& first_line) const {
  if (open_.kind != rag::BlockKind::kParagraph || ends_sentence(open_.text)) return false;
  const bool wide =
      open_.ends_full && is_wide_script(first_line) && !open_.text.empty() && (open_.text.back() & 0x80) != 0;
  return is_lower_letter(first_line) || open_.text.ends_with('-') || wide;
}

// A further line of a block, behind the paragraph that is open: by its indent, or by how the line before it ends.
bool PdfAssembler::starts_paragraph(const PdfLine& line, const BlockShape& shape) const {
  const float indent = line.x_min - shape.left;
  if (open_.kind == rag::BlockKind::kListItem && indent > 0.5F) return false;
  const bool ended = ends_sentence(open_.text);
  // Of running text with an indented first line, or with indented lines in it, the others go on at the margin.
  if (shape.hanging && indent < 0.3F * line.height()) return ended || !open_.ends_full;
  if (shape.hanging) return false;
  const bool indented = indent > 0.9F * line.height() && indent < 5 * line.height() && shape.n_lines > 2;
  return (indented && (ended || open_.ends_short)) || (open_.ends_short && ended);
}

void PdfAssembler::assemble_set_lines(int page, std::span<const PdfLine> lines) {
  flush();
  for (const PdfLine& line : lines) {
    const std::string text = line.text();
    if (has_open_) {
      open_.text.append(kLineBreak).append(text);
    } else {
      begin_paragraph({rag::BlockKind::kParagraph, 0, page, text, false, false});
    }
  }
  flush();
}

void PdfAssembler::begin_paragraph(Paragraph paragraph) {
  flush();
  open_ = std::move(paragraph);
  has_open_ = true;
}

void PdfAssembler::append_line(const std::string& line) {
  std::string& text = open_.text;
  const bool hyphen =
      text.size() > 2 && text.ends_with('-') && text[text.size() - 2] != ' ' && text[text.size() - 2] != '-';
  if (hyphen && is_lower_letter(line)) {
    const std::string_view next = std::string_view(line).substr(0, line.find_first_of(" ,.;:)"));
    const std::string joined = lower_ascii(std::string(last_word(text)).append(next));
    // The hyphen is the word's own when the word is met elsewhere with it.
    if (hyphenated_.count(joined) == 0) text.pop_back();
    text += line;
    return;
  }
  const auto first = static_cast<UChar32>(first_character(line));
  const bool own_hyphen = hyphen && (u_isupper(first) || u_isdigit(first));
  if (!own_hyphen && !(is_wide_script(line) && !text.empty() && (text.back() & 0x80) != 0)) text += ' ';
  text += line;
}

void PdfAssembler::flush() {
  if (!has_open_) return;
  builder_.set_page(open_.page);
  if (open_.kind == rag::BlockKind::kListItem) {
    builder_.list_item(open_.text);
  } else {
    builder_.add(open_.kind, open_.text, open_.level);
  }
  has_open_ = false;
}

}  // namespace mneme::readers
