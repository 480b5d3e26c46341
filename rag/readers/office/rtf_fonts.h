// The fonts of an RTF file: each may have a code page of its own, by which the bytes set in it are read.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace mneme::readers {

class RtfFonts {
 public:
  // The words and text of the table, in their order: \fN begins a font, of which the others are told.
  void begin(int number);
  void set_charset(int charset);
  void set_code_page(int code_page);
  void add_to_name(char c);

  // Bytes set in a font, as text. encoding: the file's, for fonts without one.
  std::string text_of(int font, std::string_view bytes, std::string_view encoding) const;
  // A character that is written by its number, as text: fonts of signs have such of their own.
  std::string character_of(int font, char32_t character) const;

 private:
  struct Font {
    std::string name;
    std::string encoding;  // empty: the file's
    bool has_signs = false;
  };
  const Font* find(int number) const;

  std::map<int, Font> fonts_;
  int current_ = 0;  // of the table
};

// "windows-1251" of 1251, as ICU knows it.
std::string encoding_of_code_page(int code_page);

}  // namespace mneme::readers
