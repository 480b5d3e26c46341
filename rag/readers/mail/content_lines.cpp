#include "rag/readers/mail/content_lines.h"

#include <algorithm>

#include "base/ascii.h"
#include "rag/readers/mail/mime.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostParameters = 64;

std::string upper_ascii(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

// vCard 2.1 ends a line of quoted-printable text that goes on with "=", and the next one need not be indented.
bool goes_on_quoted(std::string_view line) {
  const std::string_view head = line.substr(0, 200);
  return upper_ascii(head.substr(0, head.find(':'))).find("QUOTED-PRINTABLE") != std::string::npos;
}

struct Unfolded {
  std::string text;
  std::vector<int> numbers;
};

Unfolded unfold(std::string_view bytes) {
  Unfolded unfolded;
  unfolded.text.reserve(bytes.size());
  LineCursor lines(bytes);
  Line line;
  bool quoted = false;   // the line before is quoted-printable and ends in a soft break
  size_t beginning = 0;  // of the line that may go on
  int number_after = 1;
  while (lines.next(line)) {
    number_after = line.number + 1;
    const bool folded = !line.text.empty() && (line.text[0] == ' ' || line.text[0] == '\t');
    if ((folded || quoted) && !unfolded.numbers.empty()) {
      if (quoted) unfolded.text.pop_back();
      unfolded.text.append(quoted ? line.text : line.text.substr(1));
    } else if (!line.blank()) {
      if (!unfolded.numbers.empty()) unfolded.text.push_back('\n');
      beginning = unfolded.text.size();
      unfolded.numbers.push_back(line.number);
      unfolded.text.append(line.text);
    }
    quoted = unfolded.text.ends_with('=') && goes_on_quoted(std::string_view(unfolded.text).substr(beginning));
  }
  unfolded.numbers.push_back(number_after);
  return unfolded;
}

// Offset of the first of `signs` that does not stand between quotation marks.
size_t find_outside_quotes(std::string_view text, std::string_view signs, size_t from = 0) {
  bool quoted = false;
  for (size_t i = from; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (!quoted && signs.find(text[i]) != signs.npos) return i;
  }
  return text.npos;
}

// Quotation marks removed, and the escapes of RFC 6868: "^n", "^'" and "^^".
std::string parameter_value(std::string_view raw) {
  std::string value;
  for (size_t i = 0; i < raw.size(); ++i) {
    const char after = i + 1 < raw.size() ? raw[i + 1] : '\0';
    const bool escape = raw[i] == '^' && (after == 'n' || after == '\'' || after == '^');
    if (escape) {
      value.push_back(after == 'n' ? ' ' : after == '^' ? '^' : '"');
      ++i;
    } else if (raw[i] != '"') {
      value.push_back(raw[i]);
    }
  }
  return value;
}

void take_parameters(std::string_view text, ContentLine& line) {
  while (!text.empty() && line.parameters.size() < kMostParameters) {
    const size_t end = std::min(find_outside_quotes(text, ";"), text.size());
    const std::string_view piece = text.substr(0, end);
    const size_t equals = piece.find('=');
    if (equals == piece.npos) {
      line.parameters.emplace_back("TYPE", parameter_value(piece));
    } else {
      line.parameters.emplace_back(upper_ascii(trim(piece.substr(0, equals))),
                                   parameter_value(piece.substr(equals + 1)));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// What vCard 2.1 encodes; later versions have base64 for pictures alone.
void decode_value(ContentLine& line) {
  const std::string encoding = upper_ascii(line.parameter("ENCODING") + "," + line.parameter("TYPE"));
  if (encoding.find("QUOTED-PRINTABLE") == std::string::npos) return;
  MimePart part;
  part.headers.emplace_back("content-transfer-encoding", "quoted-printable");
  part.body = line.value;
  std::string bytes = part.decoded_body();
  if (auto text = decode_text(std::move(bytes), line.parameter("CHARSET")); text.ok()) line.value = text->text;
}

bool parse_line(std::string_view text, ContentLine& line) {
  const size_t colon = find_outside_quotes(text, ":");
  if (colon == text.npos) return false;
  const size_t name_end = std::min(text.find(';'), colon);
  std::string_view name = trim(text.substr(0, name_end));
  if (const size_t dot = name.find('.'); dot != name.npos) {
    line.group = lower_ascii(name.substr(0, dot));
    name.remove_prefix(dot + 1);
  }
  if (name.empty()) return false;
  line.name = upper_ascii(name);
  if (name_end < colon) take_parameters(text.substr(name_end + 1, colon - name_end - 1), line);
  line.value = text.substr(colon + 1);
  decode_value(line);
  return true;
}

}  // namespace

std::string ContentLine::parameter(std::string_view wanted) const {
  std::string joined;
  for (const auto& [key, text] : parameters) {
    if (key == wanted) joined.append(joined.empty() ? "" : ",").append(text);
  }
  return joined;
}

bool ContentLine::is(std::string_view wanted, std::string_view wanted_value) const {
  return name == wanted && equals_ignoring_case(trim(value), wanted_value);
}

Result<ContentLineCursor> ContentLineCursor::open(std::string bytes) {
  ContentLineCursor cursor;
  // UTF-16 has its line breaks in two bytes.
  const bool wide =
      bytes.find('\0') != std::string::npos || bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
  if (wide) {
    auto decoded = decode_text(std::move(bytes));
    if (!decoded.ok()) return decoded.status();
    bytes = std::move(decoded->text);
    cursor.note_ = std::move(decoded->note);
  }
  Unfolded unfolded = unfold(bytes);
  bytes = {};  // as large as all that is kept of it
  cursor.numbers_ = std::move(unfolded.numbers);
  auto decoded = decode_text(std::move(unfolded.text));
  if (!decoded.ok()) return decoded.status();
  cursor.text_ = std::move(decoded->text);
  if (cursor.note_.empty()) cursor.note_ = std::move(decoded->note);
  return cursor;
}

bool ContentLineCursor::next(ContentLine& line) {
  while (offset_ < text_.size() && index_ + 1 < numbers_.size()) {
    const size_t end = std::min(text_.find('\n', offset_), text_.size());
    const std::string_view text = std::string_view(text_).substr(offset_, end - offset_);
    offset_ = end + 1;
    line = ContentLine{};
    line.line_begin = numbers_[index_];
    line.line_end = std::max(line.line_begin, numbers_[index_ + 1] - 1);
    ++index_;
    if (parse_line(text, line)) return true;
  }
  return false;
}

std::string unescape_content(std::string_view value) {
  std::string text;
  text.reserve(value.size());
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '\\' || i + 1 >= value.size()) {
      text.push_back(value[i]);
      continue;
    }
    const char escaped = value[++i];
    text.push_back(escaped == 'n' || escaped == 'N' ? '\n' : escaped);
  }
  return text;
}

std::vector<std::string> split_content(std::string_view value, char separator) {
  std::vector<std::string> pieces;
  size_t begin = 0;
  for (size_t i = 0; i <= value.size(); ++i) {
    if (i + 1 < value.size() && value[i] == '\\') {
      ++i;
      continue;
    }
    if (i < value.size() && value[i] != separator) continue;
    pieces.push_back(unescape_content(value.substr(begin, i - begin)));
    begin = i + 1;
  }
  return pieces;
}

}  // namespace mneme::readers
