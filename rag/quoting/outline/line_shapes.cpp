#include "rag/quoting/outline/line_shapes.h"

#include <algorithm>

#include "base/ascii.h"
#include "rag/text/markup/task_mark.h"
#include "rag/text/quantities/money.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongestMark = 3;         // "***"
constexpr size_t kLongestField = 24;       // the name before a colon
constexpr std::ptrdiff_t kFieldWords = 3;  // ... "Hotline of Weserkom"

// "**Total due: £5,112.00**" is the same line as without its marks.
std::string_view within_emphasis(std::string_view line) {
  const size_t first = line.find_first_not_of("*_");  // npos: nothing but marks
  return first > kLongestMark ? line : line.substr(first);
}

}  // namespace

size_t item_mark(std::string_view line, bool& ordered) {
  ordered = false;
  if (const TaskMark task = task_mark(line); task.n_bytes > 0) return task.n_bytes;
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ") || line.starts_with("• ")) {
    return line.find(' ') + 1;
  }
  size_t digits = 0;
  while (digits < line.size() && is_digit(line[digits])) ++digits;
  ordered = digits > 0 && digits <= 3 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') &&
            line[digits + 1] == ' ';
  return ordered ? digits + 2 : 0;
}

bool is_item_line(std::string_view line) {
  bool ordered = false;
  return item_mark(line, ordered) > 0;
}

bool is_adornment(std::string_view line) {
  constexpr std::string_view kSigns = "=-`:'\"~^_*+#.";
  return line.size() >= 3 && kSigns.find(line[0]) != std::string_view::npos &&
         line.find_first_not_of(line[0]) == std::string_view::npos;
}

bool is_table_rule(std::string_view line) {
  if (line.size() < 5) return false;
  if (line[0] == '|' || line[0] == '+') return line.find_first_not_of("|+-=: ") == std::string_view::npos;
  return line[0] == '=' && line.find(' ') != std::string_view::npos &&
         line.find_first_not_of("= ") == std::string_view::npos;
}

size_t visible_width(std::string_view text) {
  size_t width = 0;
  for (const char c : text) width += (c & 0xC0) != 0x80;
  return width;
}

bool ends_sentence(std::string_view line) {
  for (const std::string_view stop : {".", "!", "?", ":", ";", ",", "。", "！", "？", "：", "，", "；", "…"}) {
    if (line.ends_with(stop)) return true;
  }
  return false;
}

bool states_number(std::string_view line) {
  constexpr size_t kLongestUnit = 8;
  constexpr size_t kManyDigits = 5;
  const size_t last = line.find_last_of("0123456789");
  if (last == std::string_view::npos || line.size() - last > kLongestUnit + 1) return false;
  const std::string_view unit = line.substr(last + 1);
  if (unit.find_first_of(".:)]") != std::string_view::npos) return false;
  size_t first = last;
  while (first > 0 && (is_digit(line[first - 1]) || line[first - 1] == ',' || line[first - 1] == '.')) --first;
  const std::string_view number = line.substr(first, last + 1 - first);
  const bool parted = number.size() > 3 && (number[number.size() - 3] == ',' || number[number.size() - 3] == '.');
  const size_t colon = line.find(": ");
  const bool labelled = colon != std::string_view::npos && colon < first && colon > 0;
  return parted || number.size() >= kManyDigits || labelled || says_money(unit);
}

bool begins_upper(std::string_view line) {
  const char c = line.front();
  return (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool is_wide_line(std::string_view line) {
  return static_cast<unsigned char>(line.front()) >= 0xE0;
}

size_t n_separators(std::string_view line, char separator) {
  bool quoted = false;
  size_t n = 0;
  for (const char c : line) {
    quoted ^= c == '"';
    n += !quoted && c == separator ? 1 : 0;
  }
  return n;
}

size_t n_columns(std::string_view line) {
  if (line.find('|') != std::string_view::npos || is_table_rule(line)) return 0;
  size_t n = 1;
  for (size_t at = line.find("  "); at != std::string_view::npos;
       at = line.find("  ", line.find_first_not_of(' ', at))) {
    if (at > 0 && ends_sentence(line.substr(at - 1, 1))) return 0;
    ++n;
  }
  return n;
}

bool is_field(std::string_view line) {
  line = within_emphasis(line);
  const size_t colon = std::min({line.find(": "), line.find(":** "), line.find(":* "), line.find(":__ ")});
  if (colon > kLongestField || !begins_upper(line)) return false;  // or there is none
  const std::string_view name = line.substr(0, colon);
  return std::count(name.begin(), name.end(), ' ') < kFieldWords &&
         name.find_first_of(".,`*|") == std::string_view::npos;
}

bool is_setting(std::string_view line) {
  const size_t colon = line.find(": ");
  return colon > 0 && colon <= kLongestField && is_letter(line.front()) &&
         std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_' || c == '-'; });
}

bool has_wide_label(std::string_view line) {
  const size_t colon = std::min(line.find("："), line.find(':'));
  const bool of_time = colon > 0 && colon < line.size() && is_digit(line[colon - 1]);
  return colon > 0 && colon <= kLongestField && !of_time && is_wide_line(line);  // npos: none
}

bool begins_definition(std::string_view line) {
  return line.starts_with(": ") && line.find_first_not_of(": ") != std::string_view::npos;
}

size_t message_stamp(std::string_view line) {
  constexpr std::string_view kOfStamps = "0123456789.,:/- ";
  constexpr size_t kLongestStamp = 30;
  constexpr size_t kLongestName = 40;
  if (!line.starts_with('[') && (line.empty() || !is_digit(line.front()))) return 0;
  // Beyond all lengths where there is none.
  size_t end = line.starts_with('[') ? line.find(']') : line.find_first_not_of(kOfStamps);
  if (end > kLongestStamp) return 0;
  if (line.starts_with('[')) ++end;
  const std::string_view stamp = line.substr(0, end);
  const size_t colon = stamp.find(':');
  const bool timed =
      colon != std::string_view::npos && colon > 0 && is_digit(line[colon - 1]) && is_digit(line[colon + 1]);
  // "[02:10:40] backup: it failed": of a log, where that is when it happened.
  const bool of_log = std::count(stamp.begin(), stamp.end(), ':') == 2 && stamp.find_first_of(".,/-") == stamp.npos;
  while (end < line.size() && (line[end] == ' ' || line[end] == '-')) ++end;
  for (const std::string_view half : {"AM ", "PM ", "am ", "pm "}) {
    if (line.substr(end).starts_with(half)) end = line.find_first_not_of("- ", end + half.size());
  }
  if (end >= line.size()) return 0;
  const std::string_view said = line.substr(end);
  const size_t name = said.find(": ");
  const bool named = name != std::string_view::npos && name > 0 && name <= kLongestName && !is_digit(said.front());
  return timed && named && !of_log ? end : 0;
}

bool is_plain_line(std::string_view text) {
  return !is_item_line(text) && !text.starts_with('#') && !text.starts_with('|') && !text.starts_with("```") &&
         !text.starts_with("~~~");
}

bool is_quoted_line(std::string_view line) {
  return line == ">" || line.starts_with("> ");
}

std::string_view within_quotation(std::string_view line) {
  if (!is_quoted_line(line)) return line;
  return line.substr(std::min(line.find_first_not_of(' ', 1), line.size()));
}

}  // namespace mneme::rag
