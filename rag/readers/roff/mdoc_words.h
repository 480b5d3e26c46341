// Words of mdoc(7), the macros of BSD's manual pages, as they print: ".Op Fl a Ar file" is "[-a file]". Threads: one
// thread each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers {

class MdocWords {
 public:
  // A macro that prints words wherever it stands.
  static bool knows(std::string_view macro);
  // What a line of such a macro prints. words: its arguments, characters already as they print.
  std::string line(std::string_view macro, const std::vector<std::string>& words);
  // What words print behind a macro that is a block: macros among them are obeyed.
  std::string words(const std::vector<std::string>& words);
  // Puts a line's words behind those of the lines before it, with a space where one belongs.
  static void append(std::string& text, std::string_view words);

 private:
  void write(const std::vector<std::string>& words, size_t first);
  size_t take_macro(std::string_view macro, const std::vector<std::string>& words, size_t next);
  void put(std::string_view word);
  void put_closing(std::string_view sign);

  std::string name_;  // the page's own, which ".Nm" without words says; the first that it is given
  std::string out_;
  bool no_space_ = true;  // before the next word
};

}  // namespace mneme::readers
