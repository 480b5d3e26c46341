#include "rag/readers/front_matter.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <optional>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"

namespace mneme::readers {
namespace {

std::string_view unquote(std::string_view value) {
  value = trim(value);
  if (value.size() >= 2 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0]) {
    return value.substr(1, value.size() - 2);
  }
  return value;
}

struct Word {
  std::string_view text;
  int number = -1;  // of digits only, at most 8 of them
};

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  for (size_t i = 0; i < text.size() && words.size() < 12;) {
    size_t end = i;
    if (digit(text[i])) {
      while (end < text.size() && digit(text[end])) ++end;
      Word word{text.substr(i, end - i)};
      const std::string_view ordinal = text.substr(end, 2);  // "12th"
      const bool is_ordinal = ordinal == "st" || ordinal == "nd" || ordinal == "rd" || ordinal == "th";
      if (is_ordinal && (end + 2 == text.size() || !letter(text[end + 2]))) end += 2;
      if (word.text.size() <= 8) {
        word.number = 0;
        for (const char c : word.text) word.number = word.number * 10 + (c - '0');
      }
      words.push_back(word);
    } else if (letter(text[i])) {
      while (end < text.size() && letter(text[end])) ++end;
      words.push_back({text.substr(i, end - i)});
    } else {
      ++end;
    }
    i = end;
  }
  return words;
}

int month_of(std::string_view word) {
  static constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                               "jul", "aug", "sep", "oct", "nov", "dec"};
  if (word.size() < 3) return 0;
  const std::string lower = lower_ascii(word.substr(0, 3));
  for (size_t m = 0; m < kMonths.size(); ++m) {
    if (lower == kMonths[m]) return static_cast<int>(m) + 1;
  }
  return 0;
}

std::string format_date(int year, int month, int day) {
  if (year < 1000 || year > 2999 || month < 1 || month > 12 || day < 1 || day > 31) return {};
  std::array<char, 32> buffer;
  std::snprintf(buffer.data(), buffer.size(), "%04d-%02d-%02d", year, month, day);
  return buffer.data();
}

// "2024-05-31T10:00:00Z": the date with whatever of the time follows directly.
std::string iso_with_time(std::string_view text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return {};
  size_t end = 10;
  while (end < text.size() && end < 25 &&
         std::string_view("0123456789:T+-.Z").find(text[end]) != std::string_view::npos) {
    ++end;
  }
  if (end > 10 && text[10] != 'T') end = 10;
  return std::string(text.substr(0, end));
}

}  // namespace

void bound_metadata(rag::Document& document) {
  constexpr size_t kLongestNames = 1000;
  constexpr size_t kLongestDate = 100;
  const auto cut = [](std::string& text, size_t longest) {
    if (text.size() > longest) text.resize(utf8::floor_boundary(text, longest));
  };
  cut(document.title, kLongestNames);
  cut(document.author, kLongestNames);
  cut(document.date, kLongestDate);
}

std::string iso_date(std::string_view text) {
  text = unquote(text);
  if (text.starts_with("D:")) text.remove_prefix(2);
  const std::vector<Word> words = words_of(text);
  if (words.empty()) return {};
  const auto number = [&](size_t i) { return i < words.size() ? words[i].number : -1; };
  const auto size = [&](size_t i) { return i < words.size() ? words[i].text.size() : 0; };
  if (size(0) == 4 && number(0) >= 1000 && size(1) <= 2 && size(2) <= 2 && number(1) > 0 && number(2) > 0) {
    const std::string date = format_date(number(0), number(1), number(2));
    const std::string with_time = iso_with_time(text);
    return with_time.starts_with(date) && !date.empty() ? with_time : date;
  }
  // PDF: YYYYMMDDHHMMSS, or a compact ISO date.
  const bool compact = is_digit(words[0].text.front());  // "Thursday" has as many letters
  if (compact && (size(0) == 14 || size(0) == 8)) {
    const auto part = [&](size_t at, size_t count) { return words_of(words[0].text.substr(at, count))[0].number; };
    return format_date(part(0, 4), part(4, 2), part(6, 2));
  }
  for (size_t i = 0; i < words.size(); ++i) {
    const int month = month_of(words[i].text);
    if (month == 0) continue;
    if (i > 0 && number(i - 1) > 0 && size(i + 1) == 4) return format_date(number(i + 1), month, number(i - 1));
    if (number(i + 1) > 0 && size(i + 2) == 4) return format_date(number(i + 2), month, number(i + 1));
  }
  return {};
}

void take_metadata(rag::Document& document, std::string_view key, std::string_view value) {
  value = unquote(value);
  if (value.empty() || value.size() > 1000) return;
  const std::string name = lower_ascii(trim(key));
  if (name == "title" && document.title.empty()) document.title = plain_inline(value);
  if ((name == "author" || name == "authors" || name == "from") && document.author.empty()) {
    if (value.front() == '[' && value.back() == ']') value = value.substr(1, value.size() - 2);
    value = trim(value);
    while (value.ends_with(',')) value.remove_suffix(1);
    const bool nobody = equals_ignoring_case(value, "anonymous") || equals_ignoring_case(value, "(anonymous)");
    if (!nobody) document.author = std::string(value);
  }
  static constexpr std::string_view kDates[] = {"date",       "created",      "published",     "pubdate",
                                                "created_at", "date created", "date_created",  "createdat",
                                                "created at", "created time", "creation_date", "creation-date"};
  const bool dated = std::find(std::begin(kDates), std::end(kDates), name) != std::end(kDates);
  if (dated && document.date.empty()) document.date = iso_date(value);
}

namespace {

// ">-", "|" and the like: the value is what stands indented below.
bool is_block_scalar(std::string_view value) {
  const bool begins = value.starts_with('>') || value.starts_with('|');
  return begins && value.find_first_not_of("+-0123456789", 1) == std::string_view::npos;
}

// What a key of YAML says: the rest of its line, and the indented lines below that go on with it.
std::string yaml_value(const std::vector<Line>& body, size_t key, std::string_view rest) {
  rest = trim(rest);
  const bool block = is_block_scalar(rest);
  if (rest.empty()) return {};  // a list, or keys of its own
  std::string value(block ? std::string_view() : rest);
  for (size_t i = key + 1; i < body.size() && (body[i].blank() || body[i].indent() > 0); ++i) {
    const std::string_view more = body[i].trimmed();
    if (!more.empty()) value.append(value.empty() ? "" : " ").append(more);
  }
  return value;
}

bool says_when_changed(std::string_view key) {
  static constexpr std::string_view kKeys[] = {"updated",    "modified",      "lastmod",       "last_modified",
                                               "updated_at", "date modified", "date_modified", "updatedat"};
  return std::find(std::begin(kKeys), std::end(kKeys), lower_ascii(trim(key))) != std::end(kKeys);
}

}  // namespace

bool take_front_matter(rag::Document& document, LineCursor& lines, BlockWriter& blocks) {
  LineCursor ahead = lines;
  Line first;
  if (!ahead.next(first)) return false;
  const std::string_view fence = first.trimmed();
  if (fence != "---" && fence != "+++") return false;
  const char separator = fence == "---" ? ':' : '=';
  std::vector<Line> body;
  Line line;
  constexpr size_t kMostLines = 300;
  bool closed = false;
  while (!closed && body.size() < kMostLines && ahead.next(line)) {
    body.push_back(line);
    closed = line.trimmed() == fence || (separator == ':' && line.trimmed() == "...");
  }
  // A thematic break at the beginning of a text is no front matter: keys must follow.
  if (!closed || body.size() < 2 || body[0].text.find(separator) == std::string_view::npos) return false;
  blocks.begin(rag::BlockKind::kCode, first);
  std::string changed;  // the day of last resort
  for (size_t i = 0; i < body.size(); ++i) {
    const Line& entry = body[i];
    blocks.extend(entry);
    const size_t at = entry.text.find(separator);
    if (at == std::string_view::npos || entry.indent() > 0) continue;
    const std::string_view rest = entry.text.substr(at + 1);
    const std::string value = separator == ':' ? yaml_value(body, i, rest) : std::string(rest);
    take_metadata(document, entry.text.substr(0, at), value);
    if (says_when_changed(entry.text.substr(0, at))) changed = value;
  }
  blocks.close();
  if (document.date.empty()) document.date = iso_date(changed);
  lines = ahead;
  return true;
}

}  // namespace mneme::readers
