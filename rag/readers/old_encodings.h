// Texts of DOS and of old Macs, which detectors take for windows-1252: there their accented letters are signs, or
// capitals within words. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mneme::readers {

// The encoding of a text in words of ASCII letters and accented ones, where nearly all of these make sense in one of
// those encodings and hardly any in windows-1252; nothing where that is not so, or where there are too few to tell.
std::optional<std::string> old_western_encoding(std::string_view bytes);

}  // namespace mneme::readers
