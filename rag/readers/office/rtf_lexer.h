// The groups, words and bytes that a file in Rich Text Format is made of (Microsoft's RTF specification 1.9.1).
// Internal to rag/readers. Ownership: borrows the file. Threads: one thread each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mneme::readers {

struct RtfToken {
  enum class Kind : uint8_t {
    kEnd,
    kOpen,      // of a group
    kClose,     // of a group
    kWord,      // \word, \word5
    kOptional,  // \*: who does not know the word behind it passes over the group
    kByte       // of text, in the code page of the file or font
  };
  Kind kind = Kind::kEnd;
  std::string_view word = {};  // of kWord; of kOptional the word behind, which comes as a token, too
  std::optional<int> number = std::nullopt;
  char byte = 0;
};

class RtfLexer {
 public:
  explicit RtfLexer(std::string_view rtf) : rtf_(rtf) {}

  // A file that ends too early just ends.
  RtfToken next();
  // So many bytes that are no text (\bin).
  void skip_bytes(int count);
  // What stands for a character in programs that do not know it (behind \u): so many bytes, written in one way or
  // another.
  void skip_stand_in(int count);

 private:
  RtfToken take_control();
  RtfToken take_word();
  std::string_view letters_at(size_t begin) const;  // the word there; "" where none is

  std::string_view rtf_;
  size_t at_ = 0;
};

}  // namespace mneme::readers
