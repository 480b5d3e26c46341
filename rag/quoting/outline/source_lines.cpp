#include "rag/quoting/outline/source_lines.h"

#include <algorithm>

#include "rag/quoting/outline/text_lines.h"

namespace mneme::rag {
namespace {

constexpr size_t kLongestPiece = 400;  // bytes of code

// "#include", "#if" and "#!/bin/sh" are code; so are "--option" and "*pointer = 1".
bool begins_comment(std::string_view text) {
  for (const std::string_view mark : {"//", "/*", "# ", "-- ", ";; ", "* ", "\"\"\"", "'''", "<!--"}) {
    if (text.starts_with(mark)) return true;
  }
  return text == "#" || text == "*" || text == "*/";
}

std::string_view mark_of_text(std::string_view text) {
  for (const std::string_view mark : {"\"\"\"", "'''"}) {
    if (text.starts_with(mark)) return mark;
  }
  return {};
}

class SourceReader {
 public:
  explicit SourceReader(std::string_view text) : lines_(text_lines(text)) {}

  std::vector<LineBlock> read() {
    while (at_ < lines_.size()) {
      if (lines_[at_].blank()) {
        ++at_;
      } else if (!read_docstring() && !read_comment()) {
        read_code();
      }
    }
    return std::move(blocks_);
  }

 private:
  // From just behind the mark of the first line to the end of the last.
  void add_text(size_t first, size_t last) {
    const size_t mark = comment_mark(lines_[first].text);
    const LineBlock block{lines_[first].begin + mark, lines_[last].end(), SentenceKind::kText};
    if (block.byte_begin < block.byte_end) blocks_.push_back(block);
  }

  // Python's: between three quotation marks, over lines without marks of their own. One that never closes is one line.
  bool read_docstring() {
    const std::string_view mark = mark_of_text(lines_[at_].trimmed);
    if (mark.empty()) return false;
    size_t last = at_;
    const bool one_line = lines_[at_].trimmed.find(mark, mark.size()) != std::string_view::npos;
    if (!one_line) {
      const auto closes = [&](const TextLine& line) { return line.text.find(mark) != std::string_view::npos; };
      const auto begin = lines_.begin() + static_cast<std::ptrdiff_t>(at_);
      const auto close = std::find_if(begin + 1, lines_.end(), closes);
      if (close != lines_.end()) last = static_cast<size_t>(close - lines_.begin());
    }
    add_paragraphs(at_, last);
    drop_closing(mark, last);
    at_ = last + 1;
    return true;
  }

  void add_paragraphs(size_t first, size_t last) {
    for (size_t begin = first; begin <= last;) {
      size_t end = begin;
      while (end <= last && !lines_[end].blank()) ++end;
      if (end > begin) add_text(begin, end - 1);
      begin = end + 1;
    }
  }

  // The mark at the end of line `last`, where a block that was just added ends.
  void drop_closing(std::string_view mark, size_t last) {
    if (blocks_.empty() || blocks_.back().byte_end != lines_[last].end() || !lines_[last].text.ends_with(mark)) return;
    LineBlock& block = blocks_.back();
    block.byte_end -= mark.size();
    if (block.byte_end <= block.byte_begin) blocks_.pop_back();
  }

  // Comment lines that follow each other; an empty one parts paragraphs.
  bool read_comment() {
    if (!begins_comment(lines_[at_].trimmed)) return false;
    const size_t first = at_;
    while (at_ < lines_.size() && !lines_[at_].blank() && begins_comment(lines_[at_].trimmed) &&
           mark_of_text(lines_[at_].trimmed).empty()) {
      ++at_;
    }
    for (size_t begin = first; begin < at_;) {
      size_t end = begin;
      while (end < at_ && comment_mark(lines_[end].text) < lines_[end].text.size()) ++end;
      if (end > begin) add_text(begin, end - 1);
      begin = end + 1;
    }
    return true;
  }

  // A line, and those indented under it, up to a blank line, a comment or the most that is quoted.
  void read_code() {
    const size_t first = at_++;
    while (at_ < lines_.size() && goes_on(first)) ++at_;
    blocks_.push_back({lines_[first].begin, lines_[at_ - 1].end(), SentenceKind::kCode});
  }

  bool goes_on(size_t first) const {
    const TextLine& line = lines_[at_];
    if (line.blank() || begins_comment(lines_[at_].trimmed)) return false;
    const bool closes = std::string_view("}])").find(lines_[at_].trimmed.front()) != std::string_view::npos;
    if (line.indent < lines_[first].indent || (line.indent == lines_[first].indent && !closes)) return false;
    return line.end() - lines_[first].begin <= kLongestPiece;
  }

  std::vector<TextLine> lines_;
  std::vector<LineBlock> blocks_;
  size_t at_ = 0;
};

}  // namespace

std::vector<LineBlock> source_blocks(std::string_view text) {
  return SourceReader(text).read();
}

size_t comment_mark(std::string_view line) {
  const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
  if (!begins_comment(line.substr(indent))) return 0;
  return std::min(line.find_first_not_of("/*#-;!<\"' \t", indent), line.size());
}

std::string unindented(std::string_view code) {
  const std::vector<TextLine> lines = text_lines(code);
  size_t shared = code.size();
  for (const TextLine& line : lines) {
    if (!line.blank()) shared = std::min(shared, line.indent);
  }
  std::string plain;
  for (const TextLine& line : lines) {
    if (!plain.empty()) plain += '\n';
    plain += line.text.substr(std::min(shared, line.text.size()));
  }
  return plain;
}

}  // namespace mneme::rag
