// A line of roff as it prints: escapes for fonts, sizes and moves are gone, characters by name are themselves. Threads:
// pure functions; strings: one thread each.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers {

// What a document calls by name: strings (.ds), as they stand behind their definition.
using RoffStrings = std::map<std::string, std::string, std::less<>>;

// UTF-8 in, UTF-8 out.
std::string roff_text(std::string_view line, const RoffStrings& strings);

// Arguments of a request, as written: parted by spaces, "those in quotation marks" with "" for one. Ends at a comment.
std::vector<std::string> roff_arguments(std::string_view rest);

// Without the comment behind it, if there is one.
std::string_view without_roff_comment(std::string_view line);

}  // namespace mneme::readers
