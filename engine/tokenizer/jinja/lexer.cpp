#include "engine/tokenizer/jinja/lexer.h"

#include <algorithm>
#include <cctype>

#include "base/ascii.h"
#include "base/utf8.h"
#include "engine/tokenizer/jinja/value.h"

namespace mneme::engine::jinja {

namespace {

bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool is_name_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {
    if (source_.ends_with('\n')) source_.remove_suffix(1);  // Jinja drops one line feed at the end
  }

  std::vector<Token> run() {
    while (at_ < source_.size()) {
      read_text();
      if (at_ < source_.size()) read_tag();
    }
    push(TokenType::kEnd, "");
    return std::move(tokens_);
  }

 private:
  void push(TokenType type, std::string text) { tokens_.push_back({type, std::move(text), line_}); }
  [[noreturn]] void error(const std::string& what) const { fail(what + " in line " + std::to_string(line_)); }
  bool looking_at(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  void advance(size_t count) {
    line_ += static_cast<int>(std::count(source_.begin() + at_, source_.begin() + at_ + count, '\n'));
    at_ += count;
  }

  // Text up to the next tag, stripped as the tags around it ask.
  void read_text() {
    size_t end = at_;
    while (end < source_.size() && !(source_[end] == '{' && end + 1 < source_.size() &&
                                     (source_[end + 1] == '{' || source_[end + 1] == '%' || source_[end + 1] == '#'))) {
      ++end;
    }
    std::string_view text = source_.substr(at_, end - at_);
    const std::string_view tag = source_.substr(end);
    if (strip_left_) {
      text.remove_prefix(std::min(text.find_first_not_of(" \t\n\r\f\v"), text.size()));
    } else if (drop_line_feed_ && text.starts_with('\n')) {
      text.remove_prefix(1);
    }
    const char control = tag.size() > 2 ? tag[2] : ' ';
    if (control == '-') {
      text = text.substr(0, text.find_last_not_of(" \t\n\r\f\v") + 1);
    } else if (tag.size() > 1 && tag[1] != '{' && control != '+') {
      // lstrip_blocks: white space between the start of a line and a block goes.
      const size_t last = text.find_last_not_of(" \t");
      const bool line_start = last == std::string_view::npos ? (at_ == 0 || at_line_start()) : text[last] == '\n';
      if (line_start) text = text.substr(0, last + 1);
    }
    if (!text.empty()) push(TokenType::kText, std::string(text));
    advance(end - at_);
  }

  // Whether the text before at_ (the end of a tag) ends a line: the tag's own line feed was dropped.
  bool at_line_start() const { return source_[at_ - 1] == '\n' || (drop_line_feed_ && looking_at("\n")); }

  void read_tag() {
    const char kind = source_[at_ + 1];
    if (kind == '#') return read_comment();
    advance(2);
    if (looking_at("-") || looking_at("+")) advance(1);
    push(kind == '{' ? TokenType::kPrintBegin : TokenType::kBlockBegin, "");
    const std::string_view close = kind == '{' ? "}}" : "%}";
    depth_ = 0;
    while (true) {
      advance(std::min(source_.substr(at_).find_first_not_of(" \t\n\r"), source_.size() - at_));
      if (at_ >= source_.size()) error("a tag is not closed");
      const bool minus = source_[at_] == '-' && source_.substr(at_ + 1).starts_with(close);
      const bool plus = source_[at_] == '+' && source_.substr(at_ + 1).starts_with(close);
      // Inside brackets }} closes mappings, not the tag.
      if (minus || plus || (looking_at(close) && (kind != '{' || depth_ == 0))) {
        end_tag(close.size() + (minus || plus), minus, kind == '%' && !plus);
        push(kind == '{' ? TokenType::kPrintEnd : TokenType::kBlockEnd, "");
        return;
      }
      read_token();
    }
  }

  void end_tag(size_t length, bool minus, bool trim) {
    advance(length);
    strip_left_ = minus;
    drop_line_feed_ = trim;
  }

  void read_comment() {
    const size_t end = source_.find("#}", at_ + 2);
    if (end == std::string_view::npos) error("a comment is not closed");
    end_tag(end + 2 - at_, source_[end - 1] == '-', true);
  }

  void read_token() {
    const char c = source_[at_];
    if (is_name_start(c)) {
      size_t end = at_;
      while (end < source_.size() && is_name_part(source_[end])) ++end;
      push(TokenType::kName, std::string(source_.substr(at_, end - at_)));
      advance(end - at_);
    } else if (is_digit(c)) {
      read_number();
    } else if (c == '\'' || c == '"') {
      read_string(c);
    } else {
      read_operator();
    }
  }

  void read_number() {
    size_t end = at_;
    while (end < source_.size() && (is_digit(source_[end]) || source_[end] == '_')) ++end;
    bool floating = false;
    if (end + 1 < source_.size() && source_[end] == '.' && is_digit(source_[end + 1])) {
      floating = true;
      ++end;
      while (end < source_.size() && is_digit(source_[end])) ++end;
    }
    std::string text(source_.substr(at_, end - at_));
    std::erase(text, '_');
    if (text.size() > 18) error("a number is too long");
    push(floating ? TokenType::kFloat : TokenType::kInteger, std::move(text));
    advance(end - at_);
  }

  void read_string(char quote) {
    std::string text;
    size_t at = at_ + 1;
    while (at < source_.size() && source_[at] != quote) {
      if (source_[at] == '\\' && at + 1 < source_.size()) {
        at = read_escape(at + 1, text);
      } else {
        text += source_[at++];
      }
    }
    if (at >= source_.size()) error("a string is not closed");
    push(TokenType::kString, std::move(text));
    advance(at + 1 - at_);
  }

  size_t read_escape(size_t at, std::string& text) {
    const char c = source_[at++];
    const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits > 0) {
      char32_t code = 0;
      for (size_t i = 0; i < digits; ++i) {
        if (at >= source_.size() || !std::isxdigit(static_cast<unsigned char>(source_[at]))) error("bad escape");
        code = code * 16 + static_cast<char32_t>(std::stoi(std::string(1, source_[at++]), nullptr, 16));
      }
      if (code > 0x10ffff) error("bad escape");
      utf8::append(text, code);
      return at;
    }
    static constexpr std::string_view kNames = "nrtbfva0'\"\\\n";
    static constexpr std::string_view kValues("\n\r\t\b\f\v\a\0'\"\\", 11);
    const size_t known = kNames.find(c);
    if (known == std::string_view::npos) {
      text += '\\';
      text += c;
    } else if (known < kValues.size()) {
      text += kValues[known];
    }
    return at;
  }

  void read_operator() {
    static constexpr std::string_view kLong[] = {"==", "!=", "<=", ">=", "//", "**"};
    for (const std::string_view op : kLong) {
      if (looking_at(op)) {
        push(TokenType::kOperator, std::string(op));
        advance(op.size());
        return;
      }
    }
    const char c = source_[at_];
    if (std::string_view("+-*/%~<>=.,:|()[]{}").find(c) == std::string_view::npos) {
      error("unexpected character '" + std::string(1, c) + "'");
    }
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if (c == ')' || c == ']' || c == '}') --depth_;
    push(TokenType::kOperator, std::string(1, c));
    advance(1);
  }

  std::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  int depth_ = 0;                // open brackets in the current tag
  bool strip_left_ = false;      // the tag before ended with -%}
  bool drop_line_feed_ = false;  // the tag before was a block: trim_blocks
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenise(std::string_view source) {
  return Lexer(source).run();
}

}  // namespace mneme::engine::jinja
