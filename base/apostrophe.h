// Signs that people and programs write for an apostrophe. Whatever reads words takes them for one sign. Threads: pure.
#pragma once

namespace mneme {

// ' and ’, and what stands for them: ‘ where a program turned it the wrong way, the letter ʼ of some keyboards, the
// full-width form of East Asian ones.
constexpr bool is_apostrophe(char32_t c) {
  return c == U'\'' || c == 0x2018 || c == 0x2019 || c == 0x02bc || c == 0xff07;
}

}  // namespace mneme
