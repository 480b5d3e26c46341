#include "ui/language/po_file.h"

#include <utility>

#include "base/utf8.h"

namespace mneme::ui {
namespace {

constexpr size_t kMostBytes = size_t{4} << 20;
constexpr size_t kMostMessages = 20'000;
constexpr size_t kLongestString = size_t{64} << 10;
constexpr size_t kMostForms = 8;  // of a plural; Arabic has six

int digit_of(char c, int base) {
  int digit = base;
  if (c >= '0' && c <= '9') digit = c - '0';
  if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
  return digit < base ? digit : -1;
}

// What stands for one letter behind a backslash; 0: it is none of these.
char named_escape(char c) {
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'v': return '\v';
    case '"':
    case '\\': return c;
    default: return '\0';
  }
}

// \101 or \x41, at the digits: up to `most` of them. 0: no character.
char numbered_escape(std::string_view text, size_t& at, int base, size_t most) {
  int value = 0;
  for (size_t n = 0; n < most && at < text.size() && digit_of(text[at], base) >= 0; ++n)
    value = value * base + digit_of(text[at++], base);
  return value > 0 && value < 256 ? static_cast<char>(value) : '\0';
}

class PoReader {
 public:
  explicit PoReader(std::string_view text) : text_(text) {}

  Result<std::vector<PoMessage>> read() {
    if (text_.size() > kMostBytes) return corruption("is longer than any translation");
    if (!utf8::valid(text_)) return corruption("is not UTF-8");
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
    while (!text_.empty()) {
      ++line_;
      const size_t end = std::min(text_.find('\n'), text_.size());
      std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
      while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
      MNEME_RETURN_IF_ERROR(take_line(line));
    }
    MNEME_RETURN_IF_ERROR(end_message());
    return std::move(messages_);
  }

 private:
  enum class Part { kNone, kContext, kId, kPlural, kString };

  Status wrong(const std::string& what) const {
    return corruption("line " + std::to_string(line_) + " of the translation " + what);
  }

  Status take_line(std::string_view line) {
    if (line.empty()) return {};
    if (line.front() == '#') return take_comment(line);
    if (line.front() == '"') {
      if (part_ == Part::kNone) return wrong("is a text that belongs to nothing");
      return append(line);
    }
    return take_keyword(line);
  }

  // A comment stands above the message it belongs to.
  Status take_comment(std::string_view line) {
    if (part_ == Part::kString) MNEME_RETURN_IF_ERROR(end_message());
    if (line.starts_with("#,") && line.find("fuzzy") != line.npos) message_.fuzzy = true;
    return {};
  }

  Status take_keyword(std::string_view line) {
    const std::string_view word = line.substr(0, line.find_first_of(" \t\"["));
    std::string_view rest = line.substr(word.size());
    if (word == "msgctxt" || word == "msgid") {
      if (part_ == Part::kString) MNEME_RETURN_IF_ERROR(end_message());
      const bool twice = part_ != Part::kNone && (word == "msgctxt" || part_ != Part::kContext);
      if (twice) return wrong("begins a message within another");
      part_ = word == "msgid" ? Part::kId : Part::kContext;
    } else if (word == "msgid_plural") {
      if (part_ != Part::kId) return wrong("has a plural without a singular");
      part_ = Part::kPlural;
    } else if (word == "msgstr") {
      MNEME_RETURN_IF_ERROR(begin_string(rest));
    } else {
      return wrong("is none that such files have");
    }
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
    return append(rest);
  }

  // msgstr, or one form of a plural: msgstr[n] in the order of n.
  Status begin_string(std::string_view& rest) {
    const bool first = part_ == Part::kId || part_ == Part::kPlural;
    const bool numbered = rest.starts_with('[');
    if (!first && !(part_ == Part::kString && numbered)) return wrong("translates nothing");
    if (numbered != (first ? part_ == Part::kPlural : is_plural_)) return wrong("has a form too many or none");
    if (numbered) {
      const bool next = rest.size() > 2 && rest[2] == ']' && static_cast<size_t>(rest[1] - '0') == forms_;
      if (!next || forms_ >= kMostForms) return wrong("has a form out of order");
      rest.remove_prefix(3);
    }
    is_plural_ = numbered;
    ++forms_;
    message_.strings.emplace_back();
    part_ = Part::kString;
    return {};
  }

  std::string& current() {
    switch (part_) {
      case Part::kContext: return message_.context;
      case Part::kPlural: return message_.plural_id;
      case Part::kString: return message_.strings.back();
      default: return message_.id;
    }
  }

  Status append(std::string_view quoted) {
    if (quoted.size() < 2 || quoted.front() != '"' || quoted.back() != '"') return wrong("has no whole text in quotes");
    const std::string_view text = quoted.substr(1, quoted.size() - 2);
    std::string& to = current();
    if (to.size() + text.size() > kLongestString) return wrong("makes a text too long");
    for (size_t at = 0; at < text.size();) {
      const char c = text[at++];
      if (c == '"' || c == '\0') return wrong("has a quote within its text");
      if (c != '\\') {
        to += c;
        continue;
      }
      if (at == text.size()) return wrong("ends within an escape");
      char plain = named_escape(text[at]);
      if (plain != '\0') {
        ++at;
      } else if (text[at] == 'x') {
        ++at;
        plain = numbered_escape(text, at, 16, 2);
      } else {
        plain = numbered_escape(text, at, 8, 3);
      }
      if (plain == '\0') return wrong("has an escape that means nothing");
      to += plain;
    }
    return {};
  }

  Status end_message() {
    if (part_ == Part::kNone) return {};
    if (part_ != Part::kString) return wrong("comes before a message has its translation");
    if (messages_.size() == kMostMessages) return wrong("is one of more messages than there can be");
    for (const std::string& string : message_.strings) {
      if (!utf8::valid(string)) return wrong("ends a text that is not UTF-8");
    }
    messages_.push_back(std::exchange(message_, PoMessage()));
    part_ = Part::kNone;
    is_plural_ = false;
    forms_ = 0;
    return {};
  }

  std::string_view text_;
  size_t line_ = 0;
  Part part_ = Part::kNone;
  bool is_plural_ = false;
  size_t forms_ = 0;
  PoMessage message_;
  std::vector<PoMessage> messages_;
};

}  // namespace

Result<std::vector<PoMessage>> parse_po(std::string_view text) {
  return PoReader(text).read();
}

}  // namespace mneme::ui
