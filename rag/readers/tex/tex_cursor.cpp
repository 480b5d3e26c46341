#include "rag/readers/tex/tex_cursor.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongestGroup = size_t{256} << 10;  // an open brace is looked for its end no farther

}  // namespace

void TexCursor::skip_space() {
  while (!done() && is_space(text_[at_])) ++at_;
}

std::string_view TexCursor::command() {
  const size_t begin = ++at_;
  if (done()) return {};
  while (!done() && (is_letter(text_[at_]) || text_[at_] == '@')) ++at_;
  if (at_ == begin) return text_.substr(at_++, 1);
  const std::string_view name = text_.substr(begin, at_ - begin);
  // Behind a name one line break is white space, two end a paragraph.
  while (peek() == ' ' || peek() == '\t') ++at_;
  if (peek() == '\n' && peek(1) != '\n') ++at_;
  return name;
}

std::optional<std::string_view> TexCursor::enclosed(char open, char close) {
  size_t at = at_;
  while (at < text_.size() && is_space(text_[at])) ++at;
  if (at >= text_.size() || text_[at] != open) return std::nullopt;
  const size_t begin = ++at;
  const size_t last = std::min(text_.size(), begin + kLongestGroup);
  int depth = 0;
  for (; at < last; ++at) {
    const char c = text_[at];
    if (c == '\\') {
      ++at;
    } else if (depth == 0 && c == close) {
      at_ = at + 1;
      return text_.substr(begin, at - begin);
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth < 0) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> TexCursor::group() {
  return enclosed('{', '}');
}

std::optional<std::string_view> TexCursor::option() {
  return enclosed('[', ']');
}

std::string_view TexCursor::argument() {
  if (const auto inside = group()) return *inside;
  skip_space();
  if (done()) return {};
  const size_t begin = at_;
  if (peek() == '\\') {
    command();
  } else {
    ++at_;
    while (!done() && (text_[at_] & 0xc0) == 0x80) ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

std::string_view TexCursor::until(std::string_view end) {
  const size_t begin = at_;
  const size_t found = text_.find(end, at_);
  at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  return text_.substr(begin, std::min(found, text_.size()) - begin);
}

std::string_view TexCursor::environment(std::string_view name) {
  const std::string opening = "\\begin{" + std::string(name) + "}";
  const std::string closing = "\\end{" + std::string(name) + "}";
  const size_t begin = at_;
  size_t end = text_.find(closing, at_);
  for (int depth = 0; end != std::string_view::npos;) {
    const size_t inner = text_.substr(0, end).find(opening, at_);
    if (inner != std::string_view::npos) {
      ++depth;
      at_ = inner + opening.size();
      continue;
    }
    at_ = end + closing.size();
    if (depth-- == 0) return text_.substr(begin, end - begin);
    end = text_.find(closing, at_);
  }
  at_ = text_.size();
  return text_.substr(begin);
}

}  // namespace mneme::readers
