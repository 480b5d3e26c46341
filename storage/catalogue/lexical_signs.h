// Signs that are a matter of their own: operators and the like ("?", "&&", "|>"), which standing alone or quoted are
// terms as words are. Punctuation and markup are none. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::storage {

inline constexpr size_t kMaxSignBytes = 3;

// Where a run of bytes between spaces stands.
struct SignPlace {
  bool question = false;    // in a question, where few signs are there by chance
  bool line_start = false;  // the first of its line: a bullet, a heading's mark
  bool text_end = false;    // the last of the text: "?" there is punctuation, as French writes it
};

// The sign that `token` (a run of bytes between spaces) is, without quotation marks and escapes around it; empty when
// it is none. In documents a bare sign counts only where neither markup nor ordinary code puts it.
std::string lone_sign(std::string_view token, SignPlace place);

// A box before a task, empty or ticked, is a term however it is written ("[ ]", "[X]", a sign of Unicode).
inline constexpr std::string_view kEmptyBox = "[ ]";
inline constexpr std::string_view kTickedBox = "[x]";

struct BoxSign {
  std::string_view term;  // one of these; empty: the text begins with no box
  size_t n_bytes = 0;     // of the text
};
BoxSign box_sign(std::string_view text);

}  // namespace mneme::storage
