// Pages that open elements and never close them, thousands deep. The parser looks through all that are open again and
// again, which took time with the square of such a page, and what stands below kDeepestElement is not read. So they are
// taken flat before they are parsed, as browsers do from 512 elements on. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::readers {

inline constexpr size_t kDeepestNesting = 400;  // of elements that only hold others; tables and lists come on top

// The page itself where it is not nested so deep. Else `flat`, which gets all of it but the tags of the elements below:
// blocks become paragraphs, others vanish. Lines stay where they are.
std::string_view without_deep_nesting(std::string_view html, std::string& flat);

}  // namespace mneme::readers
