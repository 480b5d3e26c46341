// Takes what lines of saved chats begin with off them, piece by piece: days and times as telephones of all countries
// write them. Internal to rag/readers. Ownership: views borrow the text. Threads: values, one thread each.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "rag/readers/spoken/chat_lines.h"

namespace mneme::readers {

class HeadCursor {
 public:
  explicit HeadCursor(std::string_view text) : text_(text), size_(text.size()) {}

  size_t taken() const { return size_ - text_.size(); }
  std::string_view rest() const { return text_; }

  bool take(std::string_view mark);
  void skip_spaces();
  // One comma, also an Arabic one.
  bool take_comma();
  // Up to `most` digits, those of Arabic, Persian and Hindi among them; -1: none, or more.
  int number(size_t most);
  // "12/03/2026", "12.3.26", "2026-03-12", "2026. 3. 12.", "12.03.26 г."
  bool date(ChatHead& head);
  // "12 Mar 2026", "12-Mar-26", "March 12, 2026", "Mar 12" (its year is 0): year, month and day where the month has its
  // English name.
  bool named_date(std::array<int, 3>& date);
  // "18:05", "6:05:09 PM", "18.05", "6:05 p. m.", "下午6:05", "18:05 ч."
  bool time(ChatHead& head);
  // A short word between day and time, or behind the time: "klo", "à", "г.".
  void skip_word();

 private:
  // 'a' or 'p'; 0: none is told.
  char half_of_day();
  std::string_view text_;
  size_t size_;
};

}  // namespace mneme::readers
