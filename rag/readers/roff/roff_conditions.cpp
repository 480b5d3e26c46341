#include "rag/readers/roff/roff_conditions.h"

#include <algorithm>

#include "base/ascii.h"

namespace mneme::readers {
namespace {

constexpr int kDeepest = 16;  // parentheses within parentheses

// An expression of numbers, registers and operators, read from left to right as roff does.
class Expression {
 public:
  explicit Expression(std::string_view text) : text_(text) {}

  long value(int depth = 0) {
    long left = operand(depth);
    while (at_ < text_.size() && text_[at_] != ')') {
      const char sign = text_[at_++];
      if (at_ < text_.size() && text_[at_] == '=' && (sign == '<' || sign == '>' || sign == '=')) {
        ++at_;
        const long right = operand(depth);
        left = sign == '<' ? left <= right : sign == '>' ? left >= right : left == right;
        continue;
      }
      const long right = operand(depth);
      switch (sign) {
        case '=': left = left == right; break;
        case '<': left = left < right; break;
        case '>': left = left > right; break;
        case '&': left = left > 0 && right > 0; break;
        case ':': left = left > 0 || right > 0; break;
        default: break;  // sums say nothing where all registers are 0
      }
    }
    return left;
  }

 private:
  long operand(int depth) {
    bool is_negated = false;
    for (; at_ < text_.size() && text_[at_] == '!'; ++at_) is_negated = !is_negated;
    const long number = plain_operand(depth);
    return is_negated ? (number <= 0 ? 1 : 0) : number;
  }
  long plain_operand(int depth) {
    if (at_ >= text_.size()) return 0;
    const char c = text_[at_];
    if (c == '(' && depth < kDeepest) {
      ++at_;
      const long inside = value(depth + 1);
      if (at_ < text_.size()) ++at_;
      return inside;
    }
    if (c == '\\') return reg();
    long number = 0;
    while (at_ < text_.size() && is_digit(text_[at_]))
      number = std::min(number * 10 + (text_[at_++] - '0'), 1000000000L);
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;  // a unit
    return number;
  }
  // "\nX", "\n(XX", "\n[any]"
  long reg() {
    at_ += 2;
    if (at_ >= text_.size()) return 0;
    std::string_view name = text_.substr(at_, 1);
    if (name == "(") {
      name = text_.substr(at_ + 1, 2);
      at_ = std::min(at_ + 3, text_.size());
    } else if (name == "[") {
      const size_t end = std::min(text_.find(']', at_), text_.size());
      name = text_.substr(at_ + 1, end - at_ - 1);
      at_ = std::min(end + 1, text_.size());
    } else {
      ++at_;
    }
    return name == ".g" ? 1 : 0;
  }

  const std::string_view text_;
  size_t at_ = 0;
};

// Where a numeric condition ends: at a space outside of parentheses.
size_t end_of_expression(std::string_view text) {
  int open = 0;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '(' && (at < 2 || text[at - 1] != 'n' || text[at - 2] != '\\')) ++open;
    if (text[at] == ')') --open;
    if (open <= 0 && (text[at] == ' ' || text[at] == '\t')) break;
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '{') break;
  }
  return at;
}

// 'this'that': whether the two are one. Registers and strings within are not looked at.
bool take_comparison(std::string_view& rest) {
  const char mark = rest[0];
  const size_t middle = rest.find(mark, 1);
  const size_t end = middle == std::string_view::npos ? middle : rest.find(mark, middle + 1);
  if (end == std::string_view::npos) {
    rest = {};
    return false;
  }
  const bool is_same = rest.substr(1, middle - 1) == rest.substr(middle + 1, end - middle - 1);
  rest.remove_prefix(end + 1);
  return is_same;
}

bool take_positive(std::string_view& rest) {
  const char c = rest[0];
  if (c == '"' || c == '\'') return take_comparison(rest);
  // Of names ("d NAME", "rNAME": it is defined, a register) none is.
  if (c == 'n' || c == 'o' || c == 't' || c == 'e' || c == 'v' || c == 'd' || c == 'r' || c == 'c' || c == 'm' ||
      c == 'F' || c == 'S') {
    const bool names = c != 'n' && c != 'o' && c != 't' && c != 'e' && c != 'v';
    rest.remove_prefix(1);
    if (names) {
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
      rest.remove_prefix(std::min(rest.find_first_of(" \t\\"), rest.size()));
    }
    return c == 'n' || c == 'o';
  }
  const size_t end = end_of_expression(rest);
  const bool holds = Expression(rest.substr(0, end)).value() > 0;
  rest.remove_prefix(end);
  return holds;
}

}  // namespace

bool take_roff_condition(std::string_view& rest) {
  const auto skip_spaces = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size())); };
  skip_spaces();
  bool is_negated = false;
  for (; !rest.empty() && rest[0] == '!'; rest.remove_prefix(1)) is_negated = !is_negated;
  const bool holds = !rest.empty() && take_positive(rest) != is_negated;
  skip_spaces();
  return holds;
}

}  // namespace mneme::readers
