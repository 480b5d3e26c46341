#include "app/output/terminal_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "app/output/terminal_characters.h"
#include "base/utf8.h"

namespace mneme::app {
namespace {

bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
         (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
}

bool is_combining(char32_t c) {
  return (c >= 0x0300 && c <= 0x036f) || (c >= 0x200b && c <= 0x200f) || (c >= 0xfe00 && c <= 0xfe0f);
}

int width_of(char32_t c) {
  if (c < 0x20 || is_combining(c)) return 0;
  return is_wide(c) ? 2 : 1;
}

// Wide signs that stay with what they close: no line begins with them.
bool closes(char32_t c) {
  return std::u32string_view(U"\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff1f\uff01\uff09\u3009\u300b\u300d\u300f\u3011")
             .find(c) != std::u32string_view::npos;
}

// How many bytes at the beginning of a text belong on one line: a word, or a wide character with the signs that close
// it and the marks above it.
size_t unbroken(std::string_view text) {
  size_t end = 0;
  const bool wide = is_wide(utf8::next(text, end));
  while (end < text.size() && text[end] != ' ') {
    size_t after = end;
    const char32_t c = utf8::next(text, after);
    const bool ends = !closes(c) && (wide ? !is_combining(c) : is_wide(c));
    if (ends) break;
    end = after;
  }
  return end;
}

// Lines of a terminal as they fill.
class Lines {
 public:
  Lines(int columns, int n_lines) : columns_(columns), left_(n_lines - 1) {}

  // False when there is no room for it any more.
  bool add(std::string_view piece, bool spaced) {
    const int needs = display_width(piece);
    const int space = spaced && width_ > 0 ? 1 : 0;
    if (width_ + space + needs <= room()) {
      text_.append(static_cast<size_t>(space), ' ').append(piece);
      width_ += space + needs;
      return true;
    }
    const bool longer_than_a_line = needs > (left_ == 1 ? columns_ - 1 : columns_);
    if (longer_than_a_line) return add_broken(piece, spaced);
    if (left_ == 0) return false;
    begin_line();
    return add(piece, false);
  }
  std::string take() { return std::move(text_); }

 private:
  // The last line keeps a column for the ellipsis.
  int room() const { return left_ > 0 ? columns_ : columns_ - 1; }
  void begin_line() {
    text_ += '\n';
    width_ = 0;
    --left_;
  }
  // A word longer than a line, character by character.
  bool add_broken(std::string_view word, bool spaced) {
    for (size_t offset = 0; offset < word.size();) {
      const size_t begin = offset;
      const int needs = width_of(utf8::next(word, offset));
      const int space = begin == 0 && spaced && width_ > 0 ? 1 : 0;
      const bool fits = width_ + space + needs <= room();
      if (!fits && left_ == 0) return false;
      if (!fits) begin_line();
      if (fits && space > 0) text_ += ' ';
      text_.append(word.substr(begin, offset - begin));
      width_ += (fits ? space : 0) + needs;
    }
    return true;
  }

  const int columns_;
  int left_;  // lines after this one
  int width_ = 0;
  std::string text_;
};

}  // namespace

std::string terminal_safe(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (size_t offset = 0; offset < text.size();) {
    const char32_t c = utf8::next(text, offset);
    if (c == '\r') continue;  // a line end of other systems, or a way to overwrite the line: nothing either way
    utf8::append(safe, is_obeyed(c) ? U'\uFFFD' : c);
  }
  return safe;
}

std::string terminal_line(std::string_view text) {
  std::string line;
  for (const char c : terminal_safe(text)) {
    const char kept = c == '\n' || c == '\t' ? ' ' : c;
    if (kept == ' ' && (line.empty() || line.back() == ' ')) continue;
    line += kept;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

int display_width(std::string_view text) {
  int width = 0;
  for (size_t offset = 0; offset < text.size();) width += width_of(utf8::next(text, offset));
  return width;
}

std::string cut_to_width(std::string_view text, int columns) {
  int width = 0;
  size_t fits = 0;  // bytes that leave a column for the ellipsis
  for (size_t offset = 0; offset < text.size();) {
    width += width_of(utf8::next(text, offset));
    if (width <= columns - 1) fits = offset;
    if (width > columns) return std::string(text.substr(0, fits)) + "…";
  }
  return std::string(text);
}

std::string wrap_words(std::string_view text, int columns) {
  std::string wrapped;
  int width = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const int needs = display_width(word);
    if (width > 0) {
      const bool fits = width + 1 + needs <= columns;
      wrapped += fits ? ' ' : '\n';
      width = fits ? width + 1 : 0;
    }
    wrapped += word;
    width += needs;
  }
  return wrapped;
}

std::string fold_to_width(std::string_view text, int columns, int n_lines) {
  Lines lines(columns, n_lines);
  bool spaced = false;
  while (!text.empty()) {
    if (text.front() == ' ') {
      spaced = true;
      text.remove_prefix(1);
      continue;
    }
    const size_t end = unbroken(text);
    if (!lines.add(text.substr(0, end), spaced)) return lines.take() + "…";
    text.remove_prefix(end);
    spaced = false;
  }
  return lines.take();
}

std::string human_seconds(double seconds) {
  char text[32];
  if (seconds < 0.9995) {  // what is rounded to a thousand is one of the next unit
    std::snprintf(text, sizeof text, "%.0f ms", seconds * 1000);
  } else if (seconds < 99.95) {
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  } else {
    const long long whole = std::llround(seconds);
    if (whole < 3600) {
      std::snprintf(text, sizeof text, "%lld:%02lld min", whole / 60, whole % 60);
    } else {
      std::snprintf(text, sizeof text, "%lld:%02lld h", whole / 3600, whole % 3600 / 60);
    }
  }
  return text;
}

}  // namespace mneme::app
