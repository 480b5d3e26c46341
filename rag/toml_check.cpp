#include "rag/toml_check.h"

#include <algorithm>

namespace mneme::rag {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Past the string that begins at `at`; at the end of the line or text when it is not closed.
size_t after_string(std::string_view toml, size_t at) {
  const char quote = toml[at];
  const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
  const bool spans_lines = toml.substr(at, 3) == three;
  at += spans_lines ? 3 : 1;
  while (at < toml.size()) {
    if (quote == '"' && toml[at] == '\\') {
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

// Whether the word that ends before `end` is the beginning of a number, or none at all.
bool is_number_or_nothing(std::string_view toml, size_t end) {
  const size_t before = end == 0 ? std::string_view::npos : toml.find_last_of(" \t\n=[,{", end - 1);
  const std::string_view word = toml.substr(before + 1, end - before - 1);
  return word.empty() || (word.front() >= '0' && word.front() <= '9') || word.front() == '+' || word.front() == '-';
}

// A quote inside of a word or number is a mistake and opens nothing: a parser may read on before it says so.
bool may_open_string(std::string_view toml, size_t at, size_t begin) {
  if (toml[at] != '"' && toml[at] != '\'') return false;
  if (at == begin) return true;
  if (toml[at - 1] == '.') return !is_number_or_nothing(toml, at - 1);
  return std::string_view(" \t\n=[,{").find(toml[at - 1]) != std::string_view::npos;
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
    } else if (static_cast<unsigned char>(toml[at]) >= 0x80) {
      return 1 + static_cast<size_t>(std::count(toml.begin(), toml.begin() + static_cast<ptrdiff_t>(at), '\n'));
    } else {
      ++at;
    }
  }
  return 0;
}

}  // namespace mneme::rag
