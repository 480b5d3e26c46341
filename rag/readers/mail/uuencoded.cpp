#include "rag/readers/mail/uuencoded.h"

#include <algorithm>

#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostFiles = 100;

int value_of(char c) {
  return (c - ' ') & 0x3f;
}

bool is_encoded(char c) {
  return c >= ' ' && c <= '`';
}

// "begin 644 notes.txt": the name; "" for all else.
std::string_view name_in(std::string_view line) {
  constexpr std::string_view kBegin = "begin ";
  if (!line.starts_with(kBegin)) return {};
  line.remove_prefix(kBegin.size());
  const size_t digits = std::min(line.find_first_not_of("01234567"), line.size());
  if (digits < 3 || digits > 4 || line.substr(digits, 1) != " ") return {};
  return trim(line.substr(digits));
}

// A line of bytes, their number before them; spaces at its end may have been lost. False where it is none.
bool decode_line(std::string_view line, std::string& bytes) {
  if (line.empty() || !std::all_of(line.begin(), line.end(), is_encoded)) return false;
  const size_t n = static_cast<size_t>(value_of(line[0]));
  const size_t n_characters = (n + 2) / 3 * 4;
  if (line.size() > n_characters + 3) return false;  // one or two for a checksum
  const auto at = [&](size_t i) { return i < line.size() ? value_of(line[i]) : 0; };
  for (size_t i = 0; i < n; ++i) {
    const size_t group = 1 + i / 3 * 4;
    const size_t k = i % 3;
    const int pair = (at(group + k) << (2 * k + 2)) | (at(group + k + 1) >> (4 - 2 * k));
    bytes.push_back(static_cast<char>(pair & 0xff));
  }
  return true;
}

struct Span {
  size_t begin = 0;
  size_t end = 0;
};

// The file that begins at the cursor's next line, which is moved behind it; it stays where none does.
bool take_file(LineCursor& lines, UuencodedFile& file, Span& span) {
  LineCursor ahead = lines;
  Line line;
  if (!ahead.next(line) || name_in(line.text).empty()) return false;
  file = {.name = std::string(name_in(line.text)), .bytes = {}};
  span.begin = line.begin;
  while (ahead.next(line)) {
    if (trim(line.text) == "end") {
      span.end = line.end;
      lines = ahead;
      return true;
    }
    if (!trim(line.text).empty() && !decode_line(line.text, file.bytes)) return false;
  }
  return false;
}

template <typename Visit>
void for_each_file(std::string_view text, const Visit& visit) {
  if (text.find("begin ") == std::string_view::npos) return;
  LineCursor lines(text);
  Line line;
  UuencodedFile file;
  Span span;
  size_t count = 0;
  while (count < kMostFiles) {
    if (take_file(lines, file, span)) {
      ++count;
      visit(file, span);
    } else if (!lines.next(line)) {
      return;
    }
  }
}

}  // namespace

std::vector<UuencodedFile> uuencoded_files(std::string_view text) {
  std::vector<UuencodedFile> files;
  for_each_file(text, [&](UuencodedFile& file, const Span&) { files.push_back(std::move(file)); });
  return files;
}

bool blank_out_uuencoded(std::string& text) {
  std::vector<Span> spans;
  for_each_file(text, [&](const UuencodedFile&, const Span& span) { spans.push_back(span); });
  for (const Span& span : spans) {
    for (size_t i = span.begin; i < span.end; ++i) {
      if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
    }
  }
  return !spans.empty();
}

}  // namespace mneme::readers
