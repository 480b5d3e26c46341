#include "rag/chunking/heading_path.h"

#include "base/trim.h"
#include "base/utf8.h"

namespace mneme::chunking {
namespace {

constexpr size_t kLongestHeading = 160;
constexpr size_t kLongestNames = 1000;  // of columns: without its name nobody can tell what a cell says

bool holds_tables(std::string_view format) {
  return format == "csv" || format == "xlsx" || format == "xls" || format == "ods";
}

// An underline or overline: one punctuation character, three times or more.
bool is_adornment(std::string_view line) {
  if (line.size() < 2) return false;
  const char c = line[0];
  const bool mark = c > 0x20 && c < 0x7f && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && !(c >= '0' && c <= '9');
  return mark && line.find_first_not_of(c) == std::string_view::npos;
}

// "# Title #" and "== Title ==" to "Title".
std::string_view strip_marks(std::string_view line) {
  if (line.empty() || (line[0] != '#' && line[0] != '=')) return line;
  const char mark = line[0];
  const size_t text = line.find_first_not_of(mark);
  if (text == std::string_view::npos || (line[text] != ' ' && line[text] != '\t')) return line;
  line = trimmed(line.substr(text));
  const size_t last = line.find_last_not_of(mark);
  if (last != std::string_view::npos && last + 1 < line.size() && line[last] == ' ')
    line = trimmed(line.substr(0, last));
  return line;
}

}  // namespace

std::string heading_text(std::string_view block_text, size_t longest) {
  std::string text;
  while (!block_text.empty()) {
    const size_t end = block_text.find_first_of("\r\n");
    const std::string_view line = trimmed(block_text.substr(0, end));
    block_text = end == std::string_view::npos ? std::string_view() : block_text.substr(end + 1);
    if (line.empty() || is_adornment(line)) continue;
    if (!text.empty()) text += ' ';
    text += strip_marks(line);
  }
  // "Title {#anchor}"
  if (text.ends_with('}')) {
    const size_t anchor = text.rfind(" {#");
    if (anchor != std::string::npos) text.resize(anchor);
  }
  if (text.size() > longest) text.resize(utf8::floor_boundary(text, longest));
  return text;
}

// Read once: a heading may be as long as the whole document, and have all its passages below it.
std::string HeadingPath::text_of(const rag::Block& heading) const {
  const size_t longest = holds_tables(document_.format) ? kLongestNames : kLongestHeading;
  const uint64_t size = heading.byte_end - heading.byte_begin;
  return heading_text(std::string_view(document_.text).substr(heading.byte_begin, size), longest);
}

std::string HeadingPath::at(uint32_t block) {
  for (; next_ <= block && next_ < document_.blocks.size(); ++next_) {
    const rag::Block& candidate = document_.blocks[next_];
    // A slide without a title is not about what the one before is.
    if (pages_stand_alone_ && candidate.page != page_) open_.clear();
    page_ = candidate.page;
    if (candidate.kind != rag::BlockKind::kHeading) continue;
    while (!open_.empty() && open_.back().first >= candidate.heading_level) open_.pop_back();
    open_.emplace_back(candidate.heading_level, text_of(candidate));
  }
  std::string path;
  for (const auto& [level, text] : open_) path.append(path.empty() ? "" : " > ").append(text);
  return path;
}

}  // namespace mneme::chunking
