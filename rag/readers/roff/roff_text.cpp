#include "rag/readers/roff/roff_text.h"

#include <algorithm>
#include <array>

#include "rag/readers/roff/roff_characters.h"

namespace mneme::readers {
namespace {

constexpr int kDeepest = 8;  // strings within strings
constexpr size_t kMostRead =
    size_t{64} << 10;  // of a line with its strings: those that hold each other grow without end

// Escapes that print something else than their letter, or nothing.
struct Printed {
  char letter;
  std::string_view text;
};
constexpr std::array kPrinted = {
    Printed{'-', "-"}, Printed{'e', "\\"}, Printed{'\\', "\\"}, Printed{'\'', "'"}, Printed{'`', "`"},
    Printed{' ', " "}, Printed{'~', " "},  Printed{'0', " "},   Printed{'t', "\t"}, Printed{'.', "."},
    Printed{'_', "_"}, Printed{'|', ""},   Printed{'^', ""},    Printed{'&', ""},   Printed{')', ""},
    Printed{'/', ""},  Printed{',', ""},   Printed{':', ""},    Printed{'%', ""},   Printed{'c', ""},
    Printed{'{', ""},  Printed{'}', ""},   Printed{'a', ""},    Printed{'d', ""},   Printed{'u', ""},
    Printed{'r', ""},  Printed{'p', ""},   Printed{'z', ""},    Printed{'E', ""},
};

class Writer {
 public:
  // n_left: characters that may still be read.
  Writer(const RoffStrings& strings, size_t& n_left, std::string& out)
      : strings_(strings), n_left_(n_left), out_(out) {}

  void write(std::string_view text, int depth) {
    text_ = text;
    for (at_ = 0; at_ < text_.size() && n_left_ > 0;) {
      --n_left_;
      const char c = text_[at_++];
      if (c != '\\') {
        out_.push_back(c);
      } else if (!escape(depth)) {
        return;
      }
    }
  }

 private:
  // False where a comment begins.
  bool escape(int depth) {
    if (at_ >= text_.size()) return true;
    const char letter = text_[at_++];
    if (letter == '"' || letter == '#') return false;
    for (const Printed& printed : kPrinted) {
      if (printed.letter != letter) continue;
      out_.append(printed.text);
      return true;
    }
    switch (letter) {
      case '(': out_ += roff_character(take(2)); break;
      case '[': out_ += roff_character(until(']')); break;
      case '*': write_string(name(), depth); break;
      case 's': skip_size(); break;
      case 'C': out_ += roff_character(delimited()); break;
      case 'N': out_ += roff_character("char" + std::string(delimited())); break;
      case 'o': out_ += delimited(); break;
      case 'f':
      case 'F':
      case 'g':
      case 'k':
      case 'm':
      case 'M':
      case 'n':
      case 'V':
      case 'Y': name(); break;
      case 'A':
      case 'b':
      case 'B':
      case 'D':
      case 'h':
      case 'H':
      case 'l':
      case 'L':
      case 'R':
      case 'S':
      case 'v':
      case 'w':
      case 'x':
      case 'X':
      case 'Z': delimited(); break;
      default: out_.push_back(letter);
    }
    return true;
  }

  std::string_view take(size_t n) {
    const std::string_view taken = text_.substr(at_, n);
    at_ += taken.size();
    return taken;
  }
  std::string_view until(char end) {
    const size_t found = std::min(text_.find(end, at_), text_.size());
    const std::string_view taken = text_.substr(at_, found - at_);
    at_ = std::min(found + 1, text_.size());
    return taken;
  }
  // "X", "(XX" or "[any]"; a sign in front of it belongs to it.
  std::string_view name() {
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    if (at_ >= text_.size()) return {};
    if (text_[at_] == '(') return ++at_, take(2);
    if (text_[at_] == '[') return ++at_, until(']');
    return take(1);
  }
  // Between two of whatever comes first: 'any'.
  std::string_view delimited() {
    if (at_ >= text_.size()) return {};
    const char mark = text_[at_++];
    return until(mark);
  }
  void skip_size() {
    if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '[')) {
      delimited_size();
      return;
    }
    const bool is_signed = at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-');
    if (is_signed) ++at_;
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      take(2);
      return;
    }
    const bool may_be_two = !is_signed && at_ < text_.size() && text_[at_] >= '1' && text_[at_] <= '3';
    take(1);
    if (may_be_two && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') take(1);
  }
  void delimited_size() {
    const char mark = text_[at_++];
    until(mark == '[' ? ']' : mark);
  }
  void write_string(std::string_view called, int depth) {
    const auto found = strings_.find(called);
    if (found == strings_.end() || depth >= kDeepest) return;
    Writer(strings_, n_left_, out_).write(found->second, depth + 1);
  }

  const RoffStrings& strings_;
  size_t& n_left_;
  std::string& out_;
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::string roff_text(std::string_view line, const RoffStrings& strings) {
  std::string text;
  size_t n_left = std::max(kMostRead, line.size());
  Writer(strings, n_left, text).write(line, 0);
  return text;
}

std::string_view without_roff_comment(std::string_view line) {
  for (size_t at = line.find('\\'); at != std::string_view::npos && at + 1 < line.size(); at = line.find('\\', at + 2))
    if (line[at + 1] == '"' || line[at + 1] == '#') return line.substr(0, at);
  return line;
}

std::vector<std::string> roff_arguments(std::string_view rest) {
  rest = without_roff_comment(rest);
  std::vector<std::string> arguments;
  size_t at = 0;
  while ((at = rest.find_first_not_of(" \t", at)) != std::string_view::npos) {
    std::string argument;
    const bool is_quoted = rest[at] == '"';
    if (is_quoted) ++at;
    for (; at < rest.size(); ++at) {
      if (is_quoted && rest[at] == '"') {
        if (at + 1 >= rest.size() || rest[at + 1] != '"') break;
        ++at;
      } else if (!is_quoted && (rest[at] == ' ' || rest[at] == '\t')) {
        break;
      }
      argument.push_back(rest[at]);
      // An escaped space parts nothing.
      if (rest[at] == '\\' && at + 1 < rest.size()) argument.push_back(rest[++at]);
    }
    if (is_quoted && at < rest.size()) ++at;
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

}  // namespace mneme::readers
