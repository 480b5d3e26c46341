// Where lines of scripts written without spaces may end. Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::ui {

// Scripts written without spaces: a line may end behind each of their characters.
constexpr bool breaks_anywhere(char32_t c) {
  return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0xff00 && c <= 0xffef) || (c >= 0x0e00 && c <= 0x0e7f);
}

// Ideographs, kana and their punctuation: a line's end between two of them stands for nothing.
constexpr bool joins_without_space(char32_t c) {
  return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xff00 && c <= 0xffef);
}

// Punctuation, small kana and marks of repetition, which stand behind what they belong to.
constexpr bool begins_no_line(char32_t c) {
  constexpr std::u32string_view kNever =
      U"、。，．・：；？！％）〕］｝〉》」』】〗’”…‥ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.!?:;)]}";
  return kNever.find(c) != kNever.npos;
}

// Opening brackets, which stand before what they belong to.
constexpr bool ends_no_line(char32_t c) {
  constexpr std::u32string_view kNever = U"（〔［｛〈《「『【〖‘“";
  return kNever.find(c) != kNever.npos;
}

}  // namespace mneme::ui
