#include "rag/toml_check.h"

#include <algorithm>

namespace mneme::rag {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_beyond_ascii(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

// Past the string that begins at `at`; at the end of the line or text when it is not closed, and at a letter beyond
// ASCII behind a backslash, where no letter of that kind may stand either.
size_t after_string(std::string_view toml, size_t at) {
  const char quote = toml[at];
  const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
  // Keys have no strings of several lines; values stand behind these.
  const size_t last = at == 0 ? std::string_view::npos : toml.find_last_not_of(" \t\r\n", at - 1);
  const bool is_value =
      last != std::string_view::npos && std::string_view("=[,").find(toml[last]) != std::string_view::npos;
  const bool spans_lines = is_value && toml.substr(at, 3) == three;
  at += spans_lines ? 3 : 1;
  while (at < toml.size()) {
    if (quote == '"' && toml[at] == '\\') {
      if (at + 1 < toml.size() && is_beyond_ascii(toml[at + 1])) return at + 1;
      at += 2;
    } else if (spans_lines && toml.substr(at, 3) == three) {
      at += 3;
      for (int more = 0; more < 2 && at < toml.size() && toml[at] == quote; ++more) ++at;  // these end the content
      return at;
    } else if (!spans_lines && (toml[at] == quote || toml[at] == '\n')) {
      return toml[at] == quote ? at + 1 : at;
    } else {
      ++at;
    }
  }
  return toml.size();
}

// A quote opens a string at the beginning of a word, behind `key=` and behind `key.`; anywhere else it is a mistake,
// and a parser that takes the word for a number reads on before it says so.
bool may_open_string(std::string_view toml, size_t at, size_t begin) {
  if (toml[at] != '"' && toml[at] != '\'') return false;
  const size_t before = at == begin ? std::string_view::npos : toml.find_last_of(" \t\n[,{", at - 1);
  const size_t first = before == std::string_view::npos ? begin : before + 1;
  const std::string_view word = toml.substr(first, at - first);
  if (word.empty()) return true;
  if (word.back() == '=') return word.find('=') == word.size() - 1;
  const bool is_number =
      word.front() == '.' || word.front() == '+' || word.front() == '-' || (word.front() >= '0' && word.front() <= '9');
  return word.back() == '.' && !is_number && word.find('=') == std::string_view::npos;
}

}  // namespace

size_t line_of_stray_character(std::string_view toml) {
  const size_t begin = toml.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  size_t at = begin;
  while (at < toml.size()) {
    if (may_open_string(toml, at, begin)) {
      at = after_string(toml, at);
    } else if (toml[at] == '#') {
      at = std::min(toml.find('\n', at), toml.size());
    } else if (is_beyond_ascii(toml[at])) {
      return 1 + static_cast<size_t>(std::count(toml.begin(), toml.begin() + static_cast<ptrdiff_t>(at), '\n'));
    } else {
      ++at;
    }
  }
  return 0;
}

}  // namespace mneme::rag
