// Walks through LaTeX: commands, groups in braces, options in brackets. Ownership: borrows the text. Threads: values.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace mneme::readers {

class TexCursor {
 public:
  explicit TexCursor(std::string_view text, size_t at = 0) : text_(text), at_(at) {}

  bool done() const { return at_ >= text_.size(); }
  size_t at() const { return at_; }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool begins(std::string_view words) const { return text_.substr(at_).starts_with(words); }
  std::string_view since(size_t begin) const { return text_.substr(begin, at_ - begin); }
  void skip(size_t n) { at_ = n < text_.size() - at_ ? at_ + n : text_.size(); }
  void skip_space();

  // At a backslash: letters, or the one character behind it; white space behind letters is gone. Empty at the end.
  std::string_view command();
  // Inside of "{...}", white space in front of it notwithstanding; nothing, and nothing is taken, where none comes or
  // it does not end.
  std::optional<std::string_view> group();
  // Inside of "[...]", the same.
  std::optional<std::string_view> option();
  // A group, a command with nothing behind it, or one character (all bytes of it): what TeX takes as an argument.
  std::string_view argument();
  // To the next `end`, which is taken, too; all that is left where there is none.
  std::string_view until(std::string_view end);
  // Behind "\begin{name}": to its "\end{name}", others of this name inside of it notwithstanding.
  std::string_view environment(std::string_view name);

 private:
  std::optional<std::string_view> enclosed(char open, char close);

  std::string_view text_;
  size_t at_;
};

}  // namespace mneme::readers
