// Text as people look for it: without regard to case, accents, vowel marks that may be left out, the width of letters,
// and kinds of dashes and quotation marks; white space of any length, line breaks included, is one space. "ß" is ss and
// "ﬁ" is fi, as in search terms (character_class.h), but punctuation counts. Threads: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "storage/catalogue/character_class.h"

namespace mneme::storage {

// The characters of a text one after the other, folded so. What is no UTF-8 is U+FFFD, byte by byte.
class SoughtCharacters {
 public:
  static constexpr char32_t kEnd = U'\U0010FFFF';  // no character; a text that has it ends there

  // From the character at `begin`, a byte of the text, which must outlive this.
  explicit SoughtCharacters(std::string_view text, size_t begin = 0) : text_(text), at_(begin) {}

  // kEnd: there is none.
  char32_t next() {
    const unsigned char byte = at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : 0;
    if (n_rest_ > 0 || byte <= ' ' || byte >= 0x80) return next_slowly();
    behind_space_ = false;
    ++at_;
    return byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte;
  }
  // Behind the character that the last one came from; of white space, behind its first.
  size_t at() const { return at_; }
  // Passes what stands for nothing: accents, joiners.
  void pass_marks();

 private:
  void take_letter(const CharInfo& info);
  char32_t next_slowly();

  std::string_view text_;
  size_t at_;
  bool behind_space_ = false;
  std::array<char32_t, kMaxFolded> rest_{};  // of what the last character stands for
  int n_rest_ = 0;
};

// All of them, as UTF-8, without spaces at its ends.
std::string sought_text(std::string_view text);

}  // namespace mneme::storage
