// Files within the text of old mail, as uuencode wrote them: "begin 644 name", lines, "end".
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers {

struct UuencodedFile {
  std::string name;
  std::string bytes;
};

// Those that are whole, at most 100.
std::vector<UuencodedFile> uuencoded_files(std::string_view text);

// The text without them; as many lines as before. False, and nothing happens, where there are none.
bool blank_out_uuencoded(std::string& text);

}  // namespace mneme::readers
