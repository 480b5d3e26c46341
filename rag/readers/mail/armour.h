// What PGP writes into the text of a message (RFC 4880, 6 and 7). Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::readers {

inline constexpr std::string_view kEncryptedNote = "the message is encrypted; what it says could not be read";

// Blanks out signatures, keys, what is encrypted and the lines around a signed text, which stays, each line in its
// place; also where a reply quotes them. Returns whether something was encrypted.
bool blank_out_armour(std::string& text);

}  // namespace mneme::readers
