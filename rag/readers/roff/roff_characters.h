// Characters that roff writes by a name of two or more letters: "\(em", "\['e]", "\[u2014]". The names are those of
// groff_char(7). Threads: pure function.
#pragma once

#include <string>
#include <string_view>

namespace mneme::readers {

// UTF-8; nothing for names that are not known.
std::string roff_character(std::string_view name);

}  // namespace mneme::readers
