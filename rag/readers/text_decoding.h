// Bytes of a text file to UTF-8. UTF-8 stays as it is, byte for byte (a byte order mark included), so that offsets are
// those of the file. UTF-16 and UTF-32 are found by their mark or their zeros, older encodings by ICU's detector.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace mneme::readers {

struct DecodedText {
  std::string text;      // well-formed UTF-8
  std::string encoding;  // "UTF-8", "UTF-16LE", "Shift_JIS", ...
  std::string note;      // for Document::notes; empty for clean UTF-8
};

// `declared`: an encoding the file names for itself ("" if none), tried before detection.
// Errors: kUnsupported for binary data and for encodings that cannot be told; the message lacks the file's name.
Result<DecodedText> decode_text(std::string bytes, std::string_view declared = {});

// Bytes in a named encoding (an IANA or WHATWG name) to UTF-8; malformed sequences give U+FFFD.
// kUnsupported for unknown names.
Result<std::string> convert_from(std::string_view bytes, std::string_view encoding);

// True when the beginning of a file cannot be text: zero bytes that are not UTF-16/32, or many control characters.
bool looks_binary(std::string_view beginning);

// Length of the UTF-8 byte order mark at the beginning of text: 3 or 0.
inline size_t bom_length(std::string_view text) {
  return text.starts_with("\xef\xbb\xbf") ? 3 : 0;
}

}  // namespace mneme::readers
