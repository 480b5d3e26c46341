// What the names of encodings mean in practice: texts that call themselves ISO-8859-1 hold the quotation marks and the
// euro sign of windows-1252 as often as not, so that browsers and mail programs read the larger encoding under the name
// of the smaller (WHATWG, Encoding, "Names and labels").
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::readers {

// The encoding to read a text in that names `label`, in any spelling; the label itself where it means just what it
// says.
std::string encoding_meant_by(std::string_view label);

}  // namespace mneme::readers
