// What a message that is signed as a whole says (S/MIME, "smime.p7m"; RFC 5652, 5): anybody can read it, and the
// signature is not checked. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mneme::readers {

// The message within; nothing for what is encrypted or no such data.
std::optional<std::string> signed_content(std::string_view data);

}  // namespace mneme::readers
