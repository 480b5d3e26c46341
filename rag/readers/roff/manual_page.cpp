#include "rag/readers/roff/manual_page.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongestDescription = 120;

bool is_bullet(std::string_view marker) {
  constexpr std::array<std::string_view, 9> kBullets = {"•", "*", "o", "·", "-", "–", "—", "○", "∗"};
  return std::find(kBullets.begin(), kBullets.end(), marker) != kBullets.end();
}

// "1.", "(a)", "2)"
bool is_number(std::string_view marker) {
  if (marker.size() < 2 || marker.size() > 5 || (marker.back() != '.' && marker.back() != ')')) return false;
  const std::string_view inner = marker.substr(marker.front() == '(' ? 1 : 0);
  return std::all_of(inner.begin(), inner.end() - 1, is_digit) || (inner.size() == 2 && is_letter(inner[0]));
}

}  // namespace

void ManualPage::set_name(std::string_view name, std::string_view section) {
  name_ = clean_text(name);
  section_ = clean_text(section);
}

void ManualPage::heading(int level, std::string_view text) {
  flush();
  kind_ = rag::BlockKind::kParagraph;
  builder_.set_lines(line_, line_);
  builder_.heading(level, text);
}

std::string& ManualPage::open_text() {
  if (text_.empty() && kind_ != rag::BlockKind::kListItem) first_line_ = line_;
  last_line_ = line_;
  return text_;
}

void ManualPage::text(std::string_view words) {
  std::string& open = open_text();
  if (!open.empty()) open += in_code() ? '\n' : ' ';
  open += words;
}

void ManualPage::break_line() {
  if (!text_.empty() && !in_code()) text_ += kLineBreak;
}

void ManualPage::paragraph() {
  if (in_code()) return text("");
  flush();
  kind_ = rag::BlockKind::kParagraph;
}

void ManualPage::item(std::string_view marker, int depth) {
  flush();
  kind_ = rag::BlockKind::kListItem;
  marker_ = clean_text(marker);
  depth_ = depth;
  first_line_ = last_line_ = line_;
}

void ManualPage::further_marker(std::string_view marker) {
  if (kind_ != rag::BlockKind::kListItem || !text_.empty()) return item(marker, depth_);
  marker_ += ", " + clean_text(marker);
}

void ManualPage::begin_code() {
  flush();
  kind_ = rag::BlockKind::kCode;
}

void ManualPage::end_code() {
  if (!in_code()) return;
  flush();
  kind_ = rag::BlockKind::kParagraph;
}

void ManualPage::table_row(const std::vector<std::string>& cells) {
  flush();
  builder_.set_lines(line_, line_);
  builder_.table_row(cells);
}

void ManualPage::flush() {
  const std::string text = std::exchange(text_, {});
  const bool is_item = kind_ == rag::BlockKind::kListItem;
  if (text.empty() && !is_item) return;
  builder_.set_lines(first_line_, last_line_);
  if (!is_item) {
    builder_.add(kind_, text);
    if (kind_ == rag::BlockKind::kParagraph) take_description(text);
    return;
  }
  kind_ = rag::BlockKind::kParagraph;  // what follows an item is none
  const bool has_words = !clean_text(text).empty();
  if (marker_.empty() || is_bullet(marker_)) {
    builder_.list_item(text, depth_);
  } else if (is_number(marker_)) {
    builder_.list_item(text, depth_, marker_);
  } else if (!has_words) {
    builder_.paragraph(marker_);
  } else {
    builder_.list_item(text, depth_, marker_.back() == ':' ? marker_ : marker_ + ":");
  }
}

// The first paragraph of a page is "name, other - what it does".
void ManualPage::take_description(std::string_view paragraph) {
  if (builder_.document().blocks.size() > 2 || !description_.empty()) return;
  const std::string clean = clean_text(paragraph);
  for (const std::string_view dash : {" - ", " – ", " — "}) {
    const size_t at = clean.find(dash);
    if (at == std::string::npos) continue;
    const std::string first = clean.substr(0, std::min(clean.find(','), at));
    if (lower_ascii(first) == lower_ascii(name_)) name_ = first;
    description_ = clean.substr(at + dash.size(), kLongestDescription);
    return;
  }
}

void ManualPage::finish() {
  flush();
  if (name_.empty()) return;
  std::string& title = builder_.document().title;
  title = section_.empty() ? name_ : name_ + "(" + section_ + ")";
  if (!description_.empty() && description_.size() < kLongestDescription) title += ": " + description_;
}

}  // namespace mneme::readers
