// JSON and JSON Lines in the file's own text. Files of one long line are cut into elements, so that a chunk holds whole
// values; \uXXXX escapes become the characters they stand for, or no one would find them.
#include <algorithm>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "rag/readers/format_list.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongLine = 2000;
constexpr int kElementDepth = 3;  // values nested deeper than this stay together

int hex_value(std::string_view text, size_t at) {
  if (at + 4 > text.size()) return -1;
  int value = 0;
  for (size_t i = at; i < at + 4; ++i) {
    const char c = text[i];
    const char lower = static_cast<char>(c | 0x20);
    const int digit = c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// Decodes escapes of characters beyond ASCII; those of quotes and controls stay as they are.
std::string decode_escapes(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      decoded.push_back(text[i++]);
      continue;
    }
    const int unit = text[i + 1] == 'u' ? hex_value(text, i + 2) : -1;
    if (unit < 0xa0) {
      decoded.append(text.substr(i, 2));
      i += 2;
      continue;
    }
    char32_t character = static_cast<char32_t>(unit);
    size_t used = 6;
    if (unit >= 0xd800 && unit < 0xdc00 && text.substr(i + 6, 2) == "\\u") {
      const int low = hex_value(text, i + 8);
      if (low >= 0xdc00 && low < 0xe000) {
        character = 0x10000 + ((character - 0xd800) << 10) + static_cast<char32_t>(low - 0xdc00);
        used = 12;
      }
    }
    if (character >= 0xd800 && character < 0xe000) {
      decoded.append(text.substr(i, 6));
    } else {
      utf8::append(decoded, character);
    }
    i += used;
  }
  return decoded;
}

// Offset behind the element that begins at `begin`: its comma at a depth of at most kElementDepth, or the end of line.
class ElementCutter {
 public:
  explicit ElementCutter(std::string_view line) : line_(line) {}

  size_t next(size_t begin) {
    for (size_t i = begin; i < line_.size(); ++i) {
      const char c = line_[i];
      if (in_string_) {
        if (c == '\\') {
          ++i;
        } else if (c == '"') {
          in_string_ = false;
        }
      } else if (c == '"') {
        in_string_ = true;
      } else if (c == '{' || c == '[') {
        ++depth_;
      } else if (c == '}' || c == ']') {
        depth_ = std::max(0, depth_ - 1);
      } else if (c == ',' && depth_ <= kElementDepth && i - begin > 200) {
        return i + 1;
      }
    }
    return line_.size();
  }

 private:
  std::string_view line_;
  int depth_ = 0;
  bool in_string_ = false;
};

void add_long_line(rag::Document& document, BlockWriter& blocks, const Line& line) {
  ElementCutter cutter(line.text);
  for (size_t begin = 0; begin < line.text.size();) {
    const size_t end = utf8::floor_boundary(line.text, cutter.next(begin));
    Line part = line;
    part.begin = line.begin + begin;
    part.end = line.begin + end;
    part.text = std::string_view(document.text).substr(part.begin, part.end - part.begin);
    if (!part.blank()) blocks.single(rag::BlockKind::kCode, part);
    begin = end;
  }
}

}  // namespace

void parse_json(rag::Document& document) {
  if (document.text.find("\\u") != std::string::npos) document.text = decode_escapes(document.text);
  BlockWriter blocks(document);
  LineCursor lines(document.text);
  Line line;
  while (lines.next(line)) {
    if (line.blank()) {
      blocks.close();
    } else if (line.text.size() > kLongLine) {
      blocks.close();
      add_long_line(document, blocks, line);
      blocks.close();
    } else if (blocks.open() && (line.indent() > 2 || line.text[0] == '}' || line.text[0] == ']')) {
      blocks.extend(line);
    } else {
      blocks.begin(rag::BlockKind::kCode, line);
    }
  }
}

}  // namespace mneme::readers
