// Fonts of signs: their characters have codes of their own, which mean letters in other fonts.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mneme::readers {

// What the character of a font shows: of Symbol and Wingdings the sign, of others the character itself. code: as Office
// writes it, the font's own codes as they are or from U+F000. "" where no character is known for it.
std::string symbol_text(std::string_view font, uint32_t code);

}  // namespace mneme::readers
