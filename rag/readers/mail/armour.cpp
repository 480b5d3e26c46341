#include "rag/readers/mail/armour.h"

#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kFence = "-----";

// Without "> > " of a reply.
std::string_view without_quotation(std::string_view line) {
  while (line.starts_with('>') || line.starts_with(' ')) line.remove_prefix(1);
  return trim(line);
}

// "PGP SIGNATURE" of "-----BEGIN PGP SIGNATURE-----"; "" for all else.
std::string_view block_named(std::string_view line, std::string_view verb) {
  line = without_quotation(line);
  if (!line.starts_with(kFence) || !line.ends_with(kFence) || line.size() < 2 * kFence.size()) return {};
  line = line.substr(kFence.size(), line.size() - 2 * kFence.size());
  if (!line.starts_with(verb) || line.find("PGP ") != verb.size()) return {};
  return line.substr(verb.size());
}

void blank(std::string& text, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  }
}

// Where the block ends that began with the line before the cursor, which is moved behind it; 0: it does not.
size_t end_of_block(LineCursor& lines, std::string_view name) {
  LineCursor ahead = lines;
  Line line;
  while (ahead.next(line)) {
    if (block_named(line.text, "END ") != name) continue;
    lines = ahead;
    return line.end;
  }
  return 0;
}

// The line that begins a signed text, and "Hash: SHA256" below it.
void blank_head(std::string& text, LineCursor& lines, const Line& first) {
  blank(text, first.begin, first.end);
  Line line;
  while (lines.peek(line) && !without_quotation(line.text).empty()) {
    blank(text, line.begin, line.end);
    lines.next(line);
  }
}

}  // namespace

bool blank_out_armour(std::string& text) {
  if (text.find("-----BEGIN PGP ") == std::string::npos) return false;
  bool encrypted = false;
  bool is_signed = false;
  bool goes_on = false;  // a block was cut off: none behind it is looked for, as each would be to the end of the text
  LineCursor lines(text);
  Line line;
  while (lines.next(line)) {
    const std::string name(block_named(line.text, "BEGIN "));
    if (name == "PGP SIGNED MESSAGE") {
      is_signed = true;
      blank_head(text, lines, line);
    } else if (!name.empty() && !goes_on) {
      const size_t end = end_of_block(lines, name);
      encrypted = encrypted || (end > 0 && name == "PGP MESSAGE");
      is_signed = is_signed && name != "PGP SIGNATURE";
      if (end > 0) blank(text, line.begin, end);
      goes_on = end == 0;
    } else if (is_signed && line.text.starts_with("- ")) {
      text[line.begin] = ' ';  // before what begins with a dash itself
    }
  }
  return encrypted;
}

}  // namespace mneme::readers
