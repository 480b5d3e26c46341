// The named characters of the XML that poppler's programs print. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::readers {

// &amp; &lt; &gt; &quot; &apos; &#39; as the characters they stand for; all else stays.
std::string decode_entities(std::string_view text);

}  // namespace mneme::readers
