// Who is meant by what stands in brackets behind a name, as lists of people have it: "Tomas Lind (harbour master), Yara
// Benedek (treasurer)". A small reader takes the name behind the bracket as readily as the one before it.
// Threads: pure function.
#pragma once

#include <string_view>

namespace mneme::rag {

// The name right before a bracket that holds nothing but words of the question, and one that means something: "Tomas
// Lind" for "Who is the harbour master?". Part of `text`; empty where there is none, or several, or nobody is asked
// for.
std::string_view named_before_brackets(std::string_view question, std::string_view text);

}  // namespace mneme::rag
